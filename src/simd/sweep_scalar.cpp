#include "simd/sweep.hpp"

namespace winnow {
namespace {

template <int Dim>
Box<Dim> box_at(const SortedRun<Dim>& run, std::size_t i) {
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    box.lo[axis] = run.columns.lo[axis][i];
    box.hi[axis] = run.columns.hi[axis][i];
  }
  return box;
}

}  // namespace

template <int Dim>
std::uint64_t sweep_box_scalar(const Box<Dim>& box, std::uint32_t id, const SortedRun<Dim>& run,
                               PairWriter& writer) {
  std::size_t i = run.begin;
  for (; i < run.end && run.columns.lo[0][i] <= box.hi[0]; ++i)
    if (overlaps(box, box_at(run, i))) writer.write(ordered_pair(id, run.ids[i]));
  return i - run.begin;
}

template <int Dim>
std::uint64_t sweep_run_scalar(const SortedRun<Dim>& run, std::size_t stop, PairWriter& writer) {
  std::uint64_t tested = 0;
  for (std::size_t i = run.begin; i < stop; ++i)
    tested += sweep_box_scalar(box_at(run, i), run.ids[i], {run.columns, run.ids, i + 1, run.end}, writer);
  return tested;
}

template <int Dim>
std::uint64_t sweep_two_runs_scalar(const SortedRun<Dim>& a, const SortedRun<Dim>& b, PairWriter& writer) {
  std::uint64_t tested = 0;
  std::size_t i = a.begin, j = b.begin;
  while (i < a.end && j < b.end) {
    // The box that begins first meets those of the other run that begin within it; of two that begin
    // together a's is the first, so that their pair is met once.
    if (a.columns.lo[0][i] <= b.columns.lo[0][j]) {
      tested += sweep_box_scalar(box_at(a, i), a.ids[i], {b.columns, b.ids, j, b.end}, writer);
      ++i;
    } else {
      tested += sweep_box_scalar(box_at(b, j), b.ids[j], {a.columns, a.ids, i, a.end}, writer);
      ++j;
    }
  }
  return tested;
}

template <int Dim>
std::uint64_t sweep_rows_scalar(const SortedRun<Dim>& few, const SortedRun<Dim>& many, double longest,
                                PairWriter& writer) {
  std::uint64_t tested = 0;
  std::size_t from = many.begin;
  for (std::size_t i = few.begin; i < few.end; ++i) {
    // Rounding keeps order: what begins before this ends before the box does.
    const double first = static_cast<double>(few.columns.lo[0][i]) - longest;
    while (from < many.end && static_cast<double>(many.columns.lo[0][from]) < first) ++from;
    tested += sweep_box_scalar(box_at(few, i), few.ids[i], {many.columns, many.ids, from, many.end}, writer);
  }
  return tested;
}

#define WINNOW_INSTANTIATE(Dim)                                                                       \
  template std::uint64_t sweep_run_scalar<Dim>(const SortedRun<Dim>&, std::size_t, PairWriter&);      \
  template std::uint64_t sweep_two_runs_scalar<Dim>(const SortedRun<Dim>&, const SortedRun<Dim>&,     \
                                                    PairWriter&);                                     \
  template std::uint64_t sweep_rows_scalar<Dim>(const SortedRun<Dim>&, const SortedRun<Dim>&, double, \
                                                PairWriter&);                                         \
  template std::uint64_t sweep_box_scalar<Dim>(const Box<Dim>&, std::uint32_t, const SortedRun<Dim>&, \
                                               PairWriter&);
WINNOW_INSTANTIATE(2)
WINNOW_INSTANTIATE(3)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
