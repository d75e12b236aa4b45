// Small arithmetic on the cells of a spatial hash, and what finds them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "hash_grid/occupancy.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {

// Equation 3 of Pouchol et al., after Teschner et al.: big primes and exclusive or.
template <int Dim>
std::uint32_t cell_key(const std::array<std::int32_t, Dim>& at) {
  constexpr std::uint32_t primes[] = {73856093u, 19349663u, 83492791u};
  std::uint32_t key = 0;
  for (int axis = 0; axis < Dim; ++axis) key ^= static_cast<std::uint32_t>(at[axis]) * primes[axis];
  return key;
}

// The cell around this one on a level whose cells are 2^up times as large.
template <int Dim>
std::array<std::int32_t, Dim> enclosing_cell(std::array<std::int32_t, Dim> at, int up) {
  for (int axis = 0; axis < Dim; ++axis) at[axis] >>= up < 31 ? up : 31;  // rounds down, also below zero
  return at;
}

// Those of `cells` that lie inside a cell 2^down times as large; false if none does. Beyond 2^31 a cell is
// out of reach, however much further.
template <int Dim, class Cells>
bool clip_to_parent(const Cells& cells, const std::array<std::int32_t, Dim>& parent, int down,
                    Cells& inside) {
  const std::int64_t ratio = std::int64_t{1} << std::min(down, 31);
  for (int axis = 0; axis < Dim; ++axis) {
    const std::int64_t first = std::max<std::int64_t>(cells.first[axis], parent[axis] * ratio);
    const std::int64_t last = std::min<std::int64_t>(cells.last[axis], (parent[axis] + 1) * ratio - 1);
    if (first > last) return false;
    inside.first[axis] = static_cast<std::int32_t>(first);
    inside.last[axis] = static_cast<std::int32_t>(last);
  }
  return true;
}

template <int Dim>
bool same_cell(const std::array<std::int32_t, Dim>& a, const std::array<std::int32_t, Dim>& b) {
  std::int32_t differ = 0;
  for (int axis = 0; axis < Dim; ++axis) differ |= a[axis] ^ b[axis];
  return differ == 0;
}

// Inlined, as all that queries do: cells that stay in registers are several times faster than cells in
// memory.
template <int Dim, class Visit>
[[gnu::always_inline]] inline void for_each_cell(const std::array<std::int32_t, Dim>& first,
                                                 const std::array<std::int32_t, Dim>& last, Visit visit) {
  std::array<std::int32_t, Dim> at;
  const auto plane = [&]() __attribute__((always_inline)) {
    for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
      for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) visit(at);
  };
  if constexpr (Dim == 2)
    plane();
  else
    for (at[2] = first[2]; at[2] <= last[2]; ++at[2]) plane();
}

// Bit `axis` is set when the cell is not the first of a range along that axis.
template <int Dim>
std::uint8_t later_axes(const std::array<std::int32_t, Dim>& at, const std::array<std::int32_t, Dim>& first) {
  unsigned bits = 0;
  for (int axis = 0; axis < Dim; ++axis) bits |= static_cast<unsigned>(at[axis] != first[axis]) << axis;
  return static_cast<std::uint8_t>(bits);
}

// Monotone in the coordinate, so that boxes that overlap share a cell. Exact where an object lies on its own
// level (its coordinates stay below 2^24 there); a uniform hash may meet objects very far out, which share
// the outermost cells.
template <int Dim>
[[gnu::always_inline]] inline typename HashGrid<Dim>::Cells HashGrid<Dim>::cells_of(const Box<Dim>& box,
                                                                                    int level) const {
  Cells cells;
  corner_cells<Dim>(box, scales_[level], cells.first, cells.last);
  return cells;
}

// A cell's own key (equation 3), with its level, for the levels share one table; the hierarchical scheme adds
// the keys of all larger cells around it instead (equation 4).
template <int Dim>
inline std::uint32_t HashGrid<Dim>::key(const At& at, int level) const {
  std::uint32_t sum = cell_key<Dim>(at);
  if (scheme_ != HashScheme::hierarchical) return sum + static_cast<std::uint32_t>(level) * 0x7feb352du;
  for (int larger = 0; larger < level; ++larger)
    sum += cell_key<Dim>(enclosing_cell<Dim>(at, levels_[larger] - levels_[level]));
  return sum;
}

template <int Dim>
inline const typename HashGrid<Dim>::Slot* HashGrid<Dim>::find(const At& at, int level,
                                                               std::uint32_t key) const {
  for (std::size_t i = scaled(key, slots_.size());; i = next(i)) {
    const Slot& slot = slots_[i];
    if (slot.build != build_) return nullptr;
    if (slot.level == level && same_cell<Dim>(slot.at, at)) return &slot;
  }
}

}  // namespace winnow
