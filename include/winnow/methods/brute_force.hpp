// brute_force: tests all (n^2 - n) / 2 pairs. The yardstick for correctness, and the fastest way for a few
// boxes.
#pragma once

#include "winnow/method.hpp"

namespace winnow {

template <int Dim>
class BruteForce {
 public:
  using Options = NoOptions;

  explicit BruteForce(const Options&) {}

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);
  MethodStats stats() const;

 private:
  Boxes<Dim> boxes_;
};

}  // namespace winnow
