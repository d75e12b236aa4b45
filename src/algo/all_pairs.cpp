#include "algo/all_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "simd/overlap.hpp"

namespace winnow {
namespace {

constexpr std::uint64_t kShare = 1 << 18;  // tests; some tens of microseconds
constexpr std::size_t kRun = 512;          // boxes; 12 KiB of bounds

// Pairs in rows before row i: row i pairs box i with the n - 1 - i boxes after it.
std::uint64_t pairs_before_row(std::uint64_t n, std::uint64_t i) { return i * (2 * n - 1 - i) / 2; }

// The row that holds pair number k. The square root is near; integers make it right.
std::uint64_t row_of_pair(std::uint64_t n, std::uint64_t k) {
  const double m = 2.0 * static_cast<double>(n) - 1.0;
  const double root = std::sqrt(std::max(0.0, m * m - 8.0 * static_cast<double>(k)));
  std::uint64_t row = static_cast<std::uint64_t>(std::clamp((m - root) / 2, 0.0, static_cast<double>(n - 1)));
  while (row > 0 && pairs_before_row(n, row) > k) --row;
  while (pairs_before_row(n, row + 1) <= k) ++row;
  return row;
}

// Box `row` against the boxes in [begin, end), all after it.
template <int Dim>
void test_row(const Boxes<Dim>& boxes, std::size_t row, std::size_t begin, std::size_t end,
              PairWriter& writer) {
  std::uint32_t hits[kRun + kOverlapSlack];
  const std::size_t count = overlap_run(boxes[row], boxes.columns(), begin, end, hits);
  Pair* out = writer.reserve(count);
  for (std::size_t h = 0; h < count; ++h) out[h] = {static_cast<std::uint32_t>(row), hits[h]};
  writer.commit(out + count);
}

// Pairs number [begin, end) of the triangle: some rows, the first and the last of them in part. All rows meet
// one run of boxes before the next run, which so is read from the first-level cache.
template <int Dim>
void test_share(const Boxes<Dim>& boxes, std::uint64_t begin, std::uint64_t end, PairWriter& writer) {
  const std::uint64_t n = boxes.size();
  const std::uint64_t first = row_of_pair(n, begin), last = row_of_pair(n, end - 1);
  const std::uint64_t first_begin = first + 1 + (begin - pairs_before_row(n, first));
  const std::uint64_t last_end = last + 1 + (end - pairs_before_row(n, last));
  for (std::uint64_t run = first + 1; run < n; run += kRun) {
    for (std::uint64_t row = first; row <= last; ++row) {
      const std::uint64_t from = std::max(run, row == first ? first_begin : row + 1);
      const std::uint64_t to = std::min(run + kRun, row == last ? last_end : n);
      if (from < to) test_row(boxes, row, from, to, writer);
    }
  }
}

}  // namespace

std::uint64_t all_pairs_count(std::uint64_t n) { return n == 0 ? 0 : pairs_before_row(n, n - 1); }

template <int Dim>
void find_all_pairs(const Boxes<Dim>& boxes, Executor& executor, PairSink& sink) {
  const std::uint64_t tests = all_pairs_count(boxes.size());
  const std::uint64_t shares = (tests + kShare - 1) / kShare;
  parallel_for(executor, shares, 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    test_share(boxes, begin * kShare, std::min(tests, end * kShare), sink.writer(worker));
  });
}

template void find_all_pairs<2>(const Boxes<2>&, Executor&, PairSink&);
template void find_all_pairs<3>(const Boxes<3>&, Executor&, PairSink&);

}  // namespace winnow
