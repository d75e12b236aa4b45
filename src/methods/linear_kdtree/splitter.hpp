// Places a box in cells (Poirrier 2009, 4 and 5.3): the code of a box is the longest common prefix of its
// corners' codes; where it ends, the box crosses a plane and may be split there, once for each axis.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "methods/linear_kdtree/code_space.hpp"

namespace winnow::linear_kdtree {

template <int Dim>
class Splitter {
 public:
  static constexpr std::size_t kMostParts = std::size_t{1} << Dim;

  Splitter(const CodeSpace<Dim>& space, bool split, bool octree)
      : space_(space), axes_(split ? (1u << Dim) - 1 : 0), octree_(octree) {}

  // Writes the keys of the parts of a box, at most kMostParts; returns how many. The box is given by the
  // codes of its corners, the upper one with the length of code that is deep enough for its size in the bits
  // above. No two parts of a box lie in nested cells, and a part is the box cut by its cell: a split box's
  // parts lie in different halves of the cell that is split.
  std::size_t place(std::uint64_t corner, std::uint64_t far_code, std::uint64_t* keys) const {
    constexpr std::uint64_t kCode = (std::uint64_t{1} << kMostCodeBits) - 1;
    std::size_t count = 0;
    place(corner, far_code & kCode, axes_, static_cast<int>(far_code >> kMostCodeBits), keys, count);
    return count;
  }

 private:
  // Returns the volume of the cells, in those of the smallest.
  std::uint64_t place(std::uint64_t lo, std::uint64_t hi, unsigned axes, int deep_enough, std::uint64_t* keys,
                      std::size_t& count) const {
    const std::uint64_t differ = lo ^ hi;
    const int open = std::bit_width(differ);  // bits that are not common
    int length = space_.code_bits() - open;
    if (octree_) length -= length % Dim;
    const std::uint64_t volume = std::uint64_t{1} << (space_.code_bits() - length);
    const std::size_t before = count;
    if (differ != 0 && length < deep_enough) {
      const std::uint64_t plane = std::uint64_t{1} << (open - 1);
      const unsigned axis = 1u << space_.axis_of(open - 1);
      if ((axes & axis) != 0) {
        const std::uint64_t below = space_.axis_bits_below(open - 1);
        const std::uint64_t parts = place(lo, (hi & ~plane) | below, axes & ~axis, deep_enough, keys, count) +
                                    place((lo | plane) & ~below, hi, axes & ~axis, deep_enough, keys, count);
        if (parts < volume) return parts;
      }
    }
    count = before;
    keys[count++] = space_.key(lo, length);
    return volume;
  }

  const CodeSpace<Dim>& space_;
  unsigned axes_;
  bool octree_;
};

}  // namespace winnow::linear_kdtree
