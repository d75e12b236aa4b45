#include "methods/linear_kdtree/code_space.hpp"

#include <cmath>

#include "winnow/rounding.hpp"

namespace winnow::linear_kdtree {

template <int Dim>
CodeSpace<Dim>::CodeSpace(const Box<Dim>& space, const std::array<double, Dim>& unit) {
  std::array<double, Dim> edge;  // of the cells so far, in units
  for (int axis = 0; axis < Dim; ++axis) {
    const double extent = static_cast<double>(space.hi[axis]) - space.lo[axis];
    edge[axis] = extent > 0 ? extent / std::max(unit[axis], extent * 0x1p-32) : 0;
  }
  std::array<std::uint8_t, kMostCodeBits> axes;  // of the first bisection, the second ...
  std::array<int, Dim> bits{};
  int count = 0;
  while (count < kMostCodeBits) {
    const auto longest = std::max_element(edge.begin(), edge.end());
    if (*longest <= 1) break;
    const auto axis = longest - edge.begin();
    axes[count++] = static_cast<std::uint8_t>(axis);
    *longest /= ++bits[axis] < kMostAxisBits ? 2 : std::numeric_limits<double>::infinity();
  }
  code_bits_ = count;
  std::reverse_copy(axes.begin(), axes.begin() + count, axis_of_.begin());
  set_axis_bits(space, bits);
}

template <int Dim>
CodeSpace<Dim>::CodeSpace(const Box<Dim>& space, int bits) : code_bits_(bits * Dim) {
  for (int bit = 0; bit < code_bits_; ++bit) axis_of_[bit] = static_cast<std::uint8_t>(Dim - 1 - bit % Dim);
  std::array<int, Dim> each;
  each.fill(bits);
  set_axis_bits(space, each);
}

template <int Dim>
void CodeSpace<Dim>::set_axis_bits(const Box<Dim>& space, const std::array<int, Dim>& bits) {
  for (int axis = 0; axis < Dim; ++axis) {
    const double slices = static_cast<double>(std::uint64_t{1} << bits[axis]);
    const double extent = static_cast<double>(space.hi[axis]) - space.lo[axis];
    origin_[axis] = space.lo[axis];
    scale_[axis] = extent > 0 ? slices / extent : 0;
    last_[axis] = slices - 1;
    bytes_[axis] = (bits[axis] + 7) / 8;

    std::array<std::uint64_t, kMostAxisBits> place{};  // of each bit of a slice number in a code
    for (int bit = 0, next = 0; bit < code_bits_; ++bit)
      if (axis_of_[bit] == axis) place[next++] = std::uint64_t{1} << bit;
    for (const std::uint64_t bit : place) axis_mask_[axis] |= bit;
    for (int byte = 0; byte < bytes_[axis]; ++byte) {
      auto& spread = spread_[axis][byte];
      spread[0] = 0;
      for (unsigned value = 1; value < 256; ++value)
        spread[value] = spread[value & (value - 1)] | place[8 * byte + std::countr_zero(value)];
    }
  }
}

template <int Dim>
Box<Dim> CodeSpace<Dim>::cell(std::uint64_t key) const {
  std::array<double, Dim> slice{}, first{},
      slices{};  // the next bit's weight; the cell's first slice, its slices
  slice.fill(1);
  slices.fill(1);
  const int open = code_bits_ - length(key);
  for (int bit = 0; bit < code_bits_; ++bit) {
    const int axis = axis_of_[bit];
    if (bit < open)
      slices[axis] *= 2;
    else if ((key >> 6 >> bit & 1) != 0)
      first[axis] += slice[axis];
    slice[axis] *= 2;
  }
  constexpr double kEnd = std::numeric_limits<float>::max();
  Box<Dim, double> cell;
  for (int axis = 0; axis < Dim; ++axis) {
    const double edge = scale_[axis] > 0 ? 1 / scale_[axis] : 0;
    const double last = first[axis] + slices[axis];
    const double margin = last * edge * 0x1p-40 + std::abs(origin_[axis]) * 0x1p-50;  // far above rounding
    cell.lo[axis] = first[axis] == 0 ? -kEnd : origin_[axis] + first[axis] * edge - margin;
    cell.hi[axis] = last > last_[axis] ? kEnd : origin_[axis] + last * edge + margin;
  }
  return round_outward(cell);
}

template <int Dim>
double CodeSpace<Dim>::cell_volume(std::uint64_t key) const {
  double volume = std::ldexp(1.0, -length(key));
  for (int axis = 0; axis < Dim; ++axis) volume *= scale_[axis] > 0 ? (last_[axis] + 1) / scale_[axis] : 0;
  return volume;
}

template class CodeSpace<2>;
template class CodeSpace<3>;

}  // namespace winnow::linear_kdtree
