// Small arithmetic on the cells of a spatial hash.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace winnow {

// The cell of a coordinate given in cells; the outermost one stands for all beyond it.
inline std::int32_t to_cell(double x) {
  constexpr double kFarthest = 1 << 30;
  const double below = x < kFarthest ? x : kFarthest;
  const double inside = below > -kFarthest ? below : -kFarthest;
  const std::int32_t toward_zero = static_cast<std::int32_t>(inside);
  return toward_zero - (inside < toward_zero);  // rounds down, without a call to floor
}

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

template <int Dim, class Visit>
void for_each_cell(const std::array<std::int32_t, Dim>& first, const std::array<std::int32_t, Dim>& last,
                   Visit visit) {
  std::array<std::int32_t, Dim> at = first;
  for (;;) {
    visit(at);
    int axis = 0;
    while (at[axis] == last[axis]) {
      at[axis] = first[axis];
      if (++axis == Dim) return;
    }
    ++at[axis];
  }
}

// Bit `axis` is set when the cell is not the first of a range along that axis.
template <int Dim>
std::uint8_t later_axes(const std::array<std::int32_t, Dim>& at, const std::array<std::int32_t, Dim>& first) {
  unsigned bits = 0;
  for (int axis = 0; axis < Dim; ++axis) bits |= static_cast<unsigned>(at[axis] != first[axis]) << axis;
  return static_cast<std::uint8_t>(bits);
}

}  // namespace winnow
