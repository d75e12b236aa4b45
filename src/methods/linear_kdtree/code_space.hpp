// The interest space and its bisections: how a point gets its locational code (Poirrier 2009, 5.2), and which
// bit of a code belongs to which axis.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "winnow/box.hpp"

namespace winnow::linear_kdtree {

// A code has code_bits() bits; its highest is the first bisection. A key is a code, filled up with zeros, and
// its length: keys sort as the paper demands, a prefix before its extensions.
inline constexpr int kMostCodeBits = 58;  // and 6 for the length
inline constexpr int kMostAxisBits = 32;

template <int Dim>
class CodeSpace {
 public:
  CodeSpace() = default;

  // Bisects `space`, each time across the axis that is longest in terms of `unit`, until no cell is longer
  // than that or the key is full.
  CodeSpace(const Box<Dim>& space, const std::array<double, Dim>& unit);

  // The paper's: axes in turn, `bits` times.
  CodeSpace(const Box<Dim>& space, int bits);

  int code_bits() const { return code_bits_; }
  int axis_of(int bit) const { return axis_of_[bit]; }
  // Bits of the same axis below this one.
  std::uint64_t axis_bits_below(int bit) const {
    return axis_mask_[axis_of_[bit]] & ((std::uint64_t{1} << bit) - 1);
  }
  std::uint64_t axis_mask(int axis) const { return axis_mask_[axis]; }

  // Which of the 2^bits slices of the axis holds the value: never falls when the value grows, and values
  // outside the space belong to the slices at its ends, so that nothing depends on the space but speed.
  std::uint32_t slice(int axis, float value) const {
    const double place = (static_cast<double>(value) - origin_[axis]) * scale_[axis];
    return static_cast<std::uint32_t>(std::clamp(place, 0.0, last_[axis]));
  }

  // A length in slices.
  double slices(int axis, double length) const { return length * scale_[axis]; }

  std::uint64_t code(const std::array<std::uint32_t, Dim>& slices) const {
    std::uint64_t code = 0;
    for (int axis = 0; axis < Dim; ++axis)
      for (int byte = 0; byte < bytes_[axis]; ++byte)
        code |= spread_[axis][byte][slices[axis] >> (8 * byte) & 255];
    return code;
  }

  // Code of the lower corner of the intersection of two boxes, from the codes of their lower corners.
  std::uint64_t upper_of(std::uint64_t a, std::uint64_t b) const {
    std::uint64_t code = 0;
    for (int axis = 0; axis < Dim; ++axis) code |= std::max(a & axis_mask_[axis], b & axis_mask_[axis]);
    return code;
  }

  std::uint64_t key(std::uint64_t code, int length) const {
    const int open = code_bits_ - length;
    return (code >> open << open) << 6 | static_cast<std::uint64_t>(length);
  }
  static int length(std::uint64_t key) { return static_cast<int>(key & 63); }
  // The last key that extends this one.
  std::uint64_t last_extension(std::uint64_t key) const {
    return key | ((std::uint64_t{1} << (code_bits_ - length(key))) - 1) << 6 | 63;
  }
  // The key's cell, a little larger for rounding: all values whose slices are the cell's. Cells at the end of
  // the space go on for ever.
  Box<Dim> cell(std::uint64_t key) const;
  // The product of its edges, inside the space.
  double cell_volume(std::uint64_t key) const;

  bool contains(std::uint64_t key, std::uint64_t code) const {
    return ((key >> 6) ^ code) >> (code_bits_ - length(key)) == 0;
  }

 private:
  void set_axis_bits(const Box<Dim>& space, const std::array<int, Dim>& bits);

  int code_bits_ = 0;
  std::array<double, Dim> origin_{}, scale_{}, last_{};
  std::array<std::uint8_t, kMostCodeBits> axis_of_{};
  std::array<std::uint64_t, Dim> axis_mask_{};
  std::array<int, Dim> bytes_{};
  std::uint64_t spread_[Dim][kMostAxisBits / 8][256];  // a byte of a slice number, its bits at their places
};

}  // namespace winnow::linear_kdtree
