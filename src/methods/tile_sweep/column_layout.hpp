// Step 3a: how to lay columns through a tile.
//
//   cell = (column of the two cross axes, bin along the sweep axis), columns one after the other:
//
//     column 0: | bin 0 | bin 1 | ... | column 1: | bin 0 | bin 1 | ... |
//
// A box lies in the bin of its lower bound. It may meet boxes up to the bin of its upper bound: one range.
#pragma once

#include <algorithm>
#include <array>

#include "methods/tile_sweep/scatter.hpp"

namespace winnow::tile_sweep {

// How steps become cells. Along an axis, part(x) = (min(x - origin, span) * parts_per_step) >> 16.
struct ColumnLayout {
  static constexpr std::uint32_t kMostCells = 65534;  // a cell and the one after it fit 16 bits

  std::array<int, 3> axis{0, 1, 2};              // the sweep's, then the columns' two
  std::array<std::uint16_t, 3> origin{0, 0, 0};  // in the order of `axis`, as all below
  std::array<std::uint16_t, 3> span{65535, 65535, 65535};
  std::array<std::uint32_t, 3> parts{1, 1, 1};           // bins, columns, columns
  std::array<std::uint16_t, 3> parts_per_step{0, 0, 0};  // in 1/65536

  std::uint32_t cells() const { return parts[0] * parts[1] * parts[2]; }
  // The distance in cells to the next column along cross axis 1 or 2.
  std::uint16_t stride(int k) const {
    return static_cast<std::uint16_t>(k == 1 ? parts[0] : parts[0] * parts[1]);
  }
  // The first and the last part of a box along an axis, and the cell of its lower corner.
  std::uint16_t clamped(int k, std::uint16_t x) const {
    return static_cast<std::uint16_t>(std::min<int>(std::max(0, x - origin[k]), span[k]));
  }
  std::uint32_t part(int k, std::uint16_t x) const {
    return std::uint32_t{clamped(k, x)} * parts_per_step[k] >> 16;
  }
  std::uint32_t first(int k, const QuantisedBox& box) const { return part(k, box.lo[axis[k]]); }
  std::uint32_t last(int k, const QuantisedBox& box) const { return part(k, box.hi[axis[k]]); }
  std::uint32_t cell(const QuantisedBox& box) const {
    return first(0, box) + first(1, box) * stride(1) + first(2, box) * stride(2);
  }

  // Sets the number of parts of an axis, at most one per step.
  void cut(int k, std::uint32_t wanted) {
    const std::uint32_t count = std::clamp<std::uint32_t>(wanted, 1, std::max<std::uint32_t>(1, span[k]));
    parts[k] = count;
    parts_per_step[k] =
        static_cast<std::uint16_t>(count <= 1 ? 0 : (std::uint64_t{count} << 16) / (span[k] + 1u));
  }
};

// Samples the tile's boxes and chooses axes, range, columns and bins. Only the first `dimensions` axes may be
// cut.
ColumnLayout choose_layout(const TileBoxes& tile, int dimensions);

}  // namespace winnow::tile_sweep
