#include "queries/neighbour_rows.hpp"

#include <algorithm>
#include <cstring>

namespace winnow {

template <int Dim, class Real>
void scatter_rows(const Neighbours<Dim, Real>& from, const std::uint32_t* ids, Executor& executor,
                  Buffer<std::uint64_t>& begins, Neighbours<Dim, Real>& to) {
  constexpr std::size_t kAhead = 16;  // rows; hides the way to memory of rows read in no order
  const std::size_t rows = from.rows();
  begins.resize_for_overwrite(rows);
  to.offsets.resize_for_overwrite(rows + 1);
  to.offsets[0] = 0;
  parallel_for(executor, rows, 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t k = begin; k < end; ++k) {
      begins[ids[k]] = from.offsets[k];
      to.offsets[ids[k] + std::size_t{1}] = from.offsets[k + 1] - from.offsets[k];
    }
  });
  for (std::size_t i = 0; i < rows; ++i) to.offsets[i + 1] += to.offsets[i];

  const auto move = [&](const auto& source, auto& target) {
    target.resize_for_overwrite(source.size());
    if (source.empty()) return;
    parallel_for(executor, rows, 2048, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto* next =
            reinterpret_cast<const char*>(source.data() + begins[std::min(i + kAhead, end - 1)]);
        for (int line = 0; line < 3; ++line) __builtin_prefetch(next + 64 * line);
        const std::uint64_t size = to.offsets[i + 1] - to.offsets[i];
        std::memcpy(target.data() + to.offsets[i], source.data() + begins[i], size * sizeof(*source.data()));
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
