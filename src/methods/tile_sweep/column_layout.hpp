// How to lay columns through a tile.
#pragma once

#include <span>

#include "methods/tile_sweep/columns.hpp"

namespace winnow::tile_sweep {

// The boxes of a tile: chunks of 128, the last of each worker's not full.
struct TileBoxes {
  std::span<const QuantisedBox* const> chunks;
  std::span<const std::uint16_t> counts;  // per chunk
  std::size_t size = 0;                   // sum of the counts
};

// Looks at a few of the tile's boxes and chooses axes, range, columns and bins. `dimensions`: the axes that
// may be cut.
ColumnLayout choose_layout(const TileBoxes& tile, int dimensions);

}  // namespace winnow::tile_sweep
