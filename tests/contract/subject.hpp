// What is checked: a way to make a method, its options, and the settings worth a try. Registered methods and
// the planted bugs are both of this form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "winnow/registry.hpp"

namespace winnow::test {

template <int Dim>
struct Subject {
  std::string name;
  std::vector<OptionInfo> options;
  std::function<AnyMethod<Dim>(const Settings&)> make;
};

// A method from two functions, for tests.
template <int Dim>
class FunctionMethod {
 public:
  using Options = NoOptions;
  using Update = std::function<void(BoxesView<Dim>, Executor&)>;
  using Find = std::function<void(Executor&, PairSink&)>;

  explicit FunctionMethod(const Options&) {}
  FunctionMethod(Update update, Find find) : update_(std::move(update)), find_(std::move(find)) {}

  static MethodInfo info() { return {.name = "of_functions", .summary = "", .paper = ""}; }
  static const OptionTable<Options>& option_table() { return Options::table(); }
  void update(BoxesView<Dim> boxes, Executor& executor) { update_(boxes, executor); }
  void find_pairs(Executor& executor, PairSink& sink) { find_(executor, sink); }
  MethodStats stats() const { return {}; }

 private:
  Update update_;
  Find find_;
};

template <int Dim>
AnyMethod<Dim> method_of(typename FunctionMethod<Dim>::Update update,
                         typename FunctionMethod<Dim>::Find find) {
  return AnyMethod<Dim>::of(FunctionMethod<Dim>(std::move(update), std::move(find)));
}

template <int Dim>
Subject<Dim> registered(const std::string& name) {
  return {name, find_method(name).options, [name](const Settings& s) { return make_method<Dim>(name, s); }};
}

// Every value of each choice, and the ends of each range, one at a time; the defaults are left out.
std::vector<Settings> settings_to_try(const std::vector<OptionInfo>& options);

// "mode=adaptive", "defaults"
std::string to_string(const Settings& settings);

// What went wrong, in words. A check goes on after a failure; only the first few are shown.
class Failures {
 public:
  void add(std::string what) {
    ++count_;
    if (shown_.size() < 4) shown_.push_back(std::move(what));
  }
  bool empty() const { return count_ == 0; }
  std::string text() const;

 private:
  std::size_t count_ = 0;
  std::vector<std::string> shown_;
};

}  // namespace winnow::test
