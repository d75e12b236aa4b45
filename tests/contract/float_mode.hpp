// Floating-point modes a caller may have set, and a method that is called in one of them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "contract/subject.hpp"

namespace winnow::test {

struct FloatMode {
  std::string name;
  void (*set)();
};

// Rounding down, up and to zero; where the processor has them, flush-to-zero and traps on invalid operations.
std::span<const FloatMode> float_modes();

// Runs `action` in the mode and puts the default back. False when `action` left another mode behind.
bool keeps_mode(const FloatMode& mode, const std::function<void()>& action);

// The method, with the mode in force around every call of it.
template <int Dim>
AnyMethod<Dim> in_float_mode(AnyMethod<Dim> method, const FloatMode& mode, Failures& failures) {
  const auto shared = std::make_shared<AnyMethod<Dim>>(std::move(method));
  const auto in_mode = [&mode, &failures](const std::function<void()>& action) {
    if (!keeps_mode(mode, action)) failures.add("the caller's mode was not given back: " + mode.name);
  };
  return method_of<Dim>(
      [=](BoxesView<Dim> boxes, Executor& executor) { in_mode([&] { shared->update(boxes, executor); }); },
      [=](Executor& executor, PairSink& sink) { in_mode([&] { shared->find_pairs(executor, sink); }); });
}

}  // namespace winnow::test
