// Avril, Gouranton, Arnaldi 2010: sweep and prune "brute force", that is from scratch in each frame, on all
// cores. scheme=all_pairs is the paper's own second stage: 1 project the boxes on the axes (columns)
// 2 divide the (n^2 - n) / 2 tests evenly among the workers  3 each worker keeps its pairs to itself.
// scheme=sorted (default) is what sweep and prune is for (Baraff 1992; Ericson 2005 §7.5.2): 1 choose the
// axis of greatest variance  2 sort by the lower bounds on it  3 divide the sorted boxes into shares of about
// the same number of tests  4 in each share compare a box with the following ones until one begins after it
// ends. Differs: tests are SIMD, several boxes at once; shares are cut by estimated work instead of by count,
// and there are more of them than workers.
#include "winnow/methods/sweep.hpp"

#include "algo/all_pairs.hpp"
#include "algo/sorted_boxes.hpp"
#include "algo/variance.hpp"
#include "winnow/validate.hpp"

namespace winnow {

const OptionTable<SweepOptions>& SweepOptions::table() {
  static const auto table = OptionTable<SweepOptions>().choice(
      "scheme", &SweepOptions::scheme,
      {{"sorted", SweepScheme::sorted}, {"all_pairs", SweepScheme::all_pairs}},
      "sorted: sweep along the axis of greatest variance; all_pairs: test all (n^2 - n) / 2, as Avril 2010");
  return table;
}

template <int Dim>
struct Sweep<Dim>::State {
  SweepScheme scheme;
  Boxes<Dim> columns;  // scheme all_pairs
  SortedBoxes<Dim> sorted;
  std::uint64_t tested = 0;
};

template <int Dim>
Sweep<Dim>::Sweep(const Options& options) : state_(std::make_unique<State>()) {
  state_->scheme = options.scheme;
}
template <int Dim>
Sweep<Dim>::~Sweep() = default;
template <int Dim>
Sweep<Dim>::Sweep(Sweep&&) noexcept = default;
template <int Dim>
Sweep<Dim>& Sweep<Dim>::operator=(Sweep&&) noexcept = default;

template <int Dim>
MethodInfo Sweep<Dim>::info() {
  return {.name = "sweep",
          .summary = "sorts along the widest axis and sweeps, from scratch in each frame",
          .paper = "Avril, Gouranton, Arnaldi 2010"};
}

template <int Dim>
void Sweep<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  if (state_->scheme == SweepScheme::all_pairs)
    copy_to_columns(boxes, executor, state_->columns);
  else
    state_->sorted.assign(boxes, axis_of_greatest_variance(boxes, executor), executor);
}

template <int Dim>
void Sweep<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  if (state_->scheme == SweepScheme::all_pairs) {
    find_all_pairs(state_->columns, executor, sink);
    state_->tested = all_pairs_count(state_->columns.size());
  } else {
    state_->tested = sweep_parallel(state_->sorted.run(), executor, sink);
  }
}

template <int Dim>
MethodStats Sweep<Dim>::stats() const {
  MethodStats stats{.candidates = state_->tested,
                    .memory_bytes = state_->columns.memory_bytes() + state_->sorted.memory_bytes(),
                    .details = {}};
  if (state_->scheme == SweepScheme::sorted)
    stats.details.push_back({"axis", std::string(1, "xyz"[state_->sorted.axis()])});
  return stats;
}

template class Sweep<2>;
template class Sweep<3>;

}  // namespace winnow
