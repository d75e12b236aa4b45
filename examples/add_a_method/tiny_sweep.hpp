// tiny_sweep: sorts the boxes along one axis and compares each with those that begin before it ends.
#pragma once

#include <cstdint>
#include <vector>

#include "winnow/method.hpp"

namespace winnow {

struct TinySweepOptions {
  enum class Axis { x, y };
  Axis axis = Axis::x;       // the axis of the sweep
  std::size_t share = 1024;  // boxes a worker takes at once
};

template <int Dim>
class TinySweep {
 public:
  using Options = TinySweepOptions;

  explicit TinySweep(const Options& options) : options_(options) {}

  static MethodInfo info();
  static const OptionTable<Options>& option_table();

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);
  MethodStats stats() const;

 private:
  Options options_;
  // Invariant: order_ is sorted by the lower bound on the axis; the sweep relies on it.
  std::vector<std::uint32_t> order_;
  BoxesView<Dim> boxes_;
};

}  // namespace winnow
