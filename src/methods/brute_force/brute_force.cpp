// All pairs. 1 copy boxes to columns  2 cut the triangle of pairs into shares  3 test each share's rows, one
// box against a run (algo/all_pairs).
#include "winnow/methods/brute_force.hpp"

#include "algo/all_pairs.hpp"
#include "winnow/validate.hpp"

namespace winnow {

template <int Dim>
MethodInfo BruteForce<Dim>::info() {
  return {.name = "brute_force",
          .summary = "tests every pair; the oracle, and best for a few dozen boxes",
          .paper = "Avril, Gouranton, Arnaldi 2010, second stage"};
}

template <int Dim>
void BruteForce<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  copy_to_columns(boxes, executor, boxes_);
}

template <int Dim>
void BruteForce<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  find_all_pairs(boxes_, executor, sink);
}

template <int Dim>
MethodStats BruteForce<Dim>::stats() const {
  return {.candidates = all_pairs_count(boxes_.size()), .memory_bytes = boxes_.memory_bytes(), .details = {}};
}

template class BruteForce<2>;
template class BruteForce<3>;

}  // namespace winnow
