#include "neighbours/neighbour_rows.hpp"

#include <algorithm>
#include <cstring>

namespace winnow {

namespace {

// Where each row begins in `from`, and in `to`, both in the new order. Rows come in no order here, and what
// takes long are the places in memory that are touched: so begin and size travel in one word. A row is no
// longer than all of them, so that 32 bits are enough for both, or for neither.
template <int Dim, class Real>
void place_rows(const Neighbours<Dim, Real>& from, const std::uint32_t* ids, Executor& executor,
                Buffer<std::uint64_t>& begins, Buffer<std::uint64_t>& offsets) {
  const std::size_t rows = from.rows();
  begins.resize_for_overwrite(rows);
  offsets.resize_for_overwrite(rows + 1);
  const std::uint64_t* const old = from.offsets.data();
  std::uint64_t* const begin_of = begins.data();
  std::uint64_t* const sum_to = offsets.data();
  const bool small = old[rows] <= 0xffffffff;
  parallel_for(executor, rows, 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint64_t size = old[k + 1] - old[k];
      begin_of[ids[k]] = small ? old[k] << 32 | size : old[k];
      if (!small) sum_to[ids[k] + std::size_t{1}] = size;
    }
  });
  std::uint64_t sum = sum_to[0] = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    sum += small ? begin_of[i] & 0xffffffff : sum_to[i + 1];
    sum_to[i + 1] = sum;
    if (small) begin_of[i] >>= 32;
  }
}

}  // namespace

template <int Dim, class Real>
void scatter_rows(const Neighbours<Dim, Real>& from, const std::uint32_t* ids, Executor& executor,
                  Buffer<std::uint64_t>& begins, Neighbours<Dim, Real>& to) {
  constexpr std::size_t kAhead = 12;  // rows; hides the way to memory of rows read in no order
  place_rows(from, ids, executor, begins, to.offsets);
  const auto move = [&](const auto& source, auto& target) {
    target.resize_for_overwrite(source.size());
    if (source.empty()) return;
    parallel_for(executor, from.rows(), 2048, [&](std::size_t begin, std::size_t end, std::size_t) {
      const std::uint64_t* const begin_of = begins.data();
      const std::uint64_t* const place_of = to.offsets.data();
      const auto* const values = source.data();
      auto* const places = target.data();
      for (std::size_t i = begin; i < end; ++i) {
        const auto* next = reinterpret_cast<const char*>(values + begin_of[std::min(i + kAhead, end - 1)]);
        for (int line = 0; line < 3; ++line) __builtin_prefetch(next + 64 * line);
        const std::uint64_t size = place_of[i + 1] - place_of[i];
        std::memcpy(places + place_of[i], values + begin_of[i], size * sizeof(*values));
      }
    });
  };
  move(from.ids, to.ids);
  move(from.squared_distances, to.squared_distances);
  move(from.shifts, to.shifts);
}

template <int Dim, class Real>
void keep_half(const std::uint32_t* ids, Neighbours<Dim, Real>& lists) {
  std::uint64_t kept = 0, begin = 0;
  for (std::size_t k = 0; k < lists.rows(); ++k) {
    const std::uint64_t end = lists.offsets[k + 1];
    for (std::uint64_t e = begin; e < end; ++e) {
      const bool later =
          lists.ids[e] > ids[k] || (lists.ids[e] == ids[k] && lists.shifts[e] > ImageShift<Dim>{});
      if (!later) continue;
      lists.ids[kept] = lists.ids[e];
      if (!lists.squared_distances.empty()) lists.squared_distances[kept] = lists.squared_distances[e];
      if (!lists.shifts.empty()) lists.shifts[kept] = lists.shifts[e];
      ++kept;
    }
    begin = end;
    lists.offsets[k + 1] = kept;
  }
  lists.ids.resize(kept);
  if (!lists.squared_distances.empty()) lists.squared_distances.resize(kept);
  if (!lists.shifts.empty()) lists.shifts.resize(kept);
}

#define WINNOW_INSTANTIATE(Dim, Real)                                                                  \
  template void scatter_rows<Dim, Real>(const Neighbours<Dim, Real>&, const std::uint32_t*, Executor&, \
                                        Buffer<std::uint64_t>&, Neighbours<Dim, Real>&);               \
  template void keep_half<Dim, Real>(const std::uint32_t*, Neighbours<Dim, Real>&);
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
