// Sweeps of runs of boxes sorted by their lower bound on one axis: the inner loop of every sweep and prune.
#pragma once

#include <cstddef>
#include <cstdint>

#include "winnow/boxes.hpp"
#include "winnow/sink.hpp"

namespace winnow {

// Boxes [begin, end) of columns, and their ids. Invariant: columns.lo[0] rises from begin to end; who sweeps
// along another axis than x hands over the columns in another order. Columns and ids are readable
// kSweepSlack values past `end`.
template <int Dim>
struct SortedRun {
  BoxColumns<Dim> columns;
  const std::uint32_t* ids;
  std::size_t begin;
  std::size_t end;
};

inline constexpr std::size_t kSweepSlack = 16;

// All pairs of the run whose first box (in the run's order) is one of [run.begin, stop); run.end for the
// whole run. Parts of a run can so be swept at the same time. Returns how many pairs overlap on axis 0, which
// is the number of pairs tested.
template <int Dim>
std::uint64_t sweep_run(const SortedRun<Dim>& run, std::size_t stop, PairWriter& writer);

// All pairs of a box of `a` with a box of `b`. Returns the number of pairs tested, as sweep_run.
template <int Dim>
std::uint64_t sweep_two_runs(const SortedRun<Dim>& a, const SortedRun<Dim>& b, PairWriter& writer);

// The same by one row for each box of `few`, which meets those of `many` that may reach it: less work where
// `few` are few or the boxes of `many` are of about one length on axis 0. None of `many` may be longer than
// `longest`. Returns the number of pairs tested, which is more than overlap on axis 0.
template <int Dim>
std::uint64_t sweep_rows(const SortedRun<Dim>& few, const SortedRun<Dim>& many, double longest,
                         PairWriter& writer);

// All pairs of one box with the boxes of a run, wherever it lies on axis 0. Stops at the first box that
// begins after it. Returns the number of pairs tested.
template <int Dim>
std::uint64_t sweep_box(const Box<Dim>& box, std::uint32_t id, const SortedRun<Dim>& run, PairWriter& writer);

// The scalar twins.
template <int Dim>
std::uint64_t sweep_run_scalar(const SortedRun<Dim>& run, std::size_t stop, PairWriter& writer);
template <int Dim>
std::uint64_t sweep_two_runs_scalar(const SortedRun<Dim>& a, const SortedRun<Dim>& b, PairWriter& writer);
template <int Dim>
std::uint64_t sweep_rows_scalar(const SortedRun<Dim>& few, const SortedRun<Dim>& many, double longest,
                                PairWriter& writer);
template <int Dim>
std::uint64_t sweep_box_scalar(const Box<Dim>& box, std::uint32_t id, const SortedRun<Dim>& run,
                               PairWriter& writer);

}  // namespace winnow
