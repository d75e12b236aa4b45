#include "algo/sorted_boxes.hpp"

#include <algorithm>
#include <vector>

namespace winnow {
namespace {

constexpr std::size_t kGrain = 4096;          // boxes
constexpr std::size_t kSharesPerWorker = 4;   // so that a worker that was held up can be helped
constexpr std::size_t kSamplesPerShare = 32;  // rows measured to judge a share's work
constexpr std::uint64_t kRowTests = 16;       // what beginning a row costs, in tests
constexpr std::size_t kLeastShared = 1024;    // boxes; fewer are swept by one worker

// Where to cut the run so that each of `shares` parts has about the same number of tests.
template <int Dim>
std::vector<std::size_t> even_cuts(const SortedRun<Dim>& run, std::size_t shares) {
  const std::size_t n = run.end - run.begin;
  const std::size_t samples = std::min(n, shares * kSamplesPerShare);
  const auto sample_at = [&](std::size_t k) {
    return run.begin + n / samples * k + std::min(k, n % samples);
  };
  const float* lo = run.columns.lo[0];
  std::vector<std::uint64_t> work_before(samples + 1, 0);
  for (std::size_t k = 0; k < samples; ++k) {
    const std::size_t row = sample_at(k);
    const float* row_end = std::upper_bound(lo + row, lo + run.end, run.columns.hi[0][row]);
    const std::uint64_t tests = kRowTests + static_cast<std::uint64_t>(row_end - (lo + row));
    work_before[k + 1] = work_before[k] + tests * (sample_at(k + 1) - row);
  }
  std::vector<std::size_t> cuts{run.begin};
  for (std::size_t share = 1; share < shares; ++share) {
    const double quota =
        static_cast<double>(work_before.back()) * static_cast<double>(share) / static_cast<double>(shares);
    const auto cut = std::ranges::lower_bound(work_before, static_cast<std::uint64_t>(quota));
    cuts.push_back(sample_at(static_cast<std::size_t>(cut - work_before.begin())));
  }
  cuts.push_back(run.end);
  return cuts;
}

struct alignas(kCacheLine) Tally {
  std::uint64_t tested = 0;
};

}  // namespace

template <int Dim>
void SortedBoxes<Dim>::assign(BoxesView<Dim> boxes, int axis, Executor& executor) {
  const std::size_t n = boxes.size();
  order_.resize_for_overwrite(n);
  parallel_for(executor, n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i)
      order_[i] = {float_key(boxes.lo(axis, i)), static_cast<std::uint32_t>(i)};
  });
  radix_sort(order_, scratch_, executor);

  // All memory is had before the last order is given up: a failed allocation leaves it as it was.
  if (n + kSweepSlack > ids_.size()) ids_.resize(n + kSweepSlack);
  columns_.resize(n);
  std::fill_n(ids_.data() + n, kSweepSlack, 0u);
  axis_ = axis;
  parallel_for(executor, n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::array<float*, Dim> lo, hi;  // of the caller's axes; the sorted one and the first change places
    for (int column = 0; column < Dim; ++column) {
      const int source = column == 0 ? axis : column == axis ? 0 : column;
      lo[source] = columns_.lo(column);
      hi[source] = columns_.hi(column);
    }
    std::uint32_t* ids = ids_.data();
    const KeyedId<std::uint32_t>* order = order_.data();
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t id = order[i].id;
      ids[i] = id;
      const Box<Dim> box = boxes[id];
      for (int source = 0; source < Dim; ++source) {
        lo[source][i] = box.lo[source];
        hi[source][i] = box.hi[source];
      }
    }
  });
}

template <int Dim>
std::uint64_t sweep_parallel(const SortedRun<Dim>& run, Executor& executor, PairSink& sink) {
  const std::size_t n = run.end - run.begin;
  const std::size_t shares =
      executor.workers() == 1 || n < kLeastShared ? 1 : executor.workers() * kSharesPerWorker;
  const std::vector<std::size_t> cuts = even_cuts(run, shares);
  std::vector<Tally> tallies(executor.workers());
  parallel_for(executor, shares, 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    const SortedRun<Dim> from_cut{run.columns, run.ids, cuts[begin], run.end};
    tallies[worker].tested += sweep_run(from_cut, cuts[end], sink.writer(worker));
  });
  std::uint64_t tested = 0;
  for (const Tally& tally : tallies) tested += tally.tested;
  return tested;
}

template class SortedBoxes<2>;
template class SortedBoxes<3>;
template std::uint64_t sweep_parallel<2>(const SortedRun<2>&, Executor&, PairSink&);
template std::uint64_t sweep_parallel<3>(const SortedRun<3>&, Executor&, PairSink&);

}  // namespace winnow
