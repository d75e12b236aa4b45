// What a query of a spatial hash does with its occupancy, to be inlined there.
#pragma once

#include "hash_grid/floor_scaled.hpp"
#include "winnow/occupancy.hpp"

namespace winnow {

// The cells of a box's corners; 1 / edge of the cells is a power of two.
template <int Dim, class At>
[[gnu::always_inline]] inline void corner_cells(const Box<Dim>& box, float scale, At& first, At& last) {
  if constexpr (Dim == 2) {
    const Int4 cells = floor_scaled(Float4{box.lo[0], box.lo[1], box.hi[0], box.hi[1]}, scale);
    first = {cells[0], cells[1]};
    last = {cells[2], cells[3]};
  } else {
    const Int4 lo = floor_scaled(Float4{box.lo[0], box.lo[1], box.lo[2], 0}, scale);
    const Int4 hi = floor_scaled(Float4{box.hi[0], box.hi[1], box.hi[2], 0}, scale);
    first = {lo[0], lo[1], lo[2]};
    last = {hi[0], hi[1], hi[2]};
  }
}

// Answers for boxes that touch no more than two cells along each axis but the first, and one row along that:
// then the rows of their corners are all, and reading each without asking whether it is a new one is faster
// than a branch that is as good as random.
template <int Dim>
[[gnu::always_inline]] inline typename Occupancy<Dim>::Maps Occupancy<Dim>::near(const Box<Dim>& box) const {
  if (words_.empty()) return kUnknown;
  At first, last;
  corner_cells<Dim>(box, scale_, first, last);
  bool narrow = first[0] >> kRowBits == last[0] >> kRowBits;
  for (int axis = 1; axis < Dim; ++axis)
    narrow &= static_cast<std::uint32_t>(last[axis]) - static_cast<std::uint32_t>(first[axis]) <= 1;
  if (!narrow) return kUnknown;
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr int kLast = (1 << kRowBits) - 1;
  const std::uint64_t columns = kAll << (first[0] & kLast) & kAll >> (kLast - (last[0] & kLast));
  std::array<const std::uint64_t*, 1 << (Dim - 1)> rows;
  rows[0] = words_.data() + offset(0, first[0] >> kRowBits);
  for (int axis = Dim - 1, known = 1; axis > 0; --axis, known *= 2)
    for (int i = 0; i < known; ++i) {
      rows[i + known] = rows[i] + offset(axis, last[axis]);
      rows[i] += offset(axis, first[axis]);
    }
  Maps found = 0;
  for (int map = 0; map < maps_; ++map) {
    std::uint64_t marks = 0;
    for (const std::uint64_t* words : rows) marks |= words[map];
    found |= static_cast<Maps>((marks & columns) != 0) << map;
  }
  return found;
}

}  // namespace winnow
