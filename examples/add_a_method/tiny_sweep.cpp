// Sweep and prune along one axis (Baraff 1992). 1 sort by the lower bound  2 compare each box with the
// following ones until one begins after it ends. Differs: sorts anew in each frame.
#include "tiny_sweep.hpp"

#include <algorithm>
#include <numeric>

#include "winnow/validate.hpp"

namespace winnow {

template <int Dim>
MethodInfo TinySweep<Dim>::info() {
  return {.name = "tiny_sweep", .summary = "sorts along one axis and sweeps", .paper = "Baraff 1992"};
}

template <int Dim>
const OptionTable<TinySweepOptions>& TinySweep<Dim>::option_table() {
  using Axis = Options::Axis;
  static const auto table =
      OptionTable<Options>()
          .choice<Axis>("axis", &Options::axis, {{"x", Axis::x}, {"y", Axis::y}}, "the axis of the sweep")
          .integer("share", &Options::share, 1, 1 << 20, "objects", "boxes a worker takes at once");
  return table;
}

template <int Dim>
void TinySweep<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);  // throws before anything is changed
  std::vector<std::uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0u);
  const int axis = static_cast<int>(options_.axis);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return boxes.lo(axis, i); });
  order_ = std::move(order);
  boxes_ = boxes;
}

template <int Dim>
void TinySweep<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  const int axis = static_cast<int>(options_.axis);
  parallel_for(executor, order_.size(), options_.share,
               [&](std::size_t begin, std::size_t end, std::size_t worker) {
                 PairWriter& writer = sink.writer(worker);
                 for (std::size_t i = begin; i < end; ++i) {
                   const Box<Dim> box = boxes_[order_[i]];
                   for (std::size_t j = i + 1; j < order_.size(); ++j) {
                     const Box<Dim> other = boxes_[order_[j]];
                     if (other.lo[axis] > box.hi[axis]) break;
                     if (overlaps(box, other)) writer.write(ordered_pair(order_[i], order_[j]));
                   }
                 }
               });
}

template <int Dim>
MethodStats TinySweep<Dim>::stats() const {
  return {.candidates = 0, .memory_bytes = order_.capacity() * sizeof(order_[0]), .details = {}};
}

template class TinySweep<2>;
template class TinySweep<3>;

}  // namespace winnow
