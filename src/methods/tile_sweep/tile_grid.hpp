// Step 2a: where to cut space into tiles, chosen from a sample.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/tile_sweep/quantise.hpp"
#include "methods/tile_sweep/sample.hpp"

namespace winnow::tile_sweep {

// Rows and columns of tiles along two axes. A monotone table gives the row or column of a coordinate. A box
// goes to every tile from the tile of its lower corner to the tile of its upper corner.
struct TileGrid {
  static constexpr std::size_t kTable = 2048;

  std::array<int, 2> axis{0, 1};
  std::array<std::uint32_t, 2> size{1, 1};  // tiles along each axis
  Scale index{};                            // coordinate -> index into `part`
  std::array<std::array<std::uint16_t, kTable>, 2>
      part;                   // index -> the row's first tile, or the column; rising
  std::vector<Scale> scales;  // per tile

  std::size_t tiles() const { return std::size_t{size[0]} * size[1]; }
};

// The scale of a single tile that covers everything.
template <int Dim>
Scale whole_scale(const Sample<Dim>& sample);

// Cuts space into about `tiles` tiles with equal shares of the boxes, and into fewer when tiles would be
// thinner than two boxes. Returns false, with no valid grid, when only one tile is left.
template <int Dim>
bool choose_grid(const Sample<Dim>& sample, std::size_t tiles, TileGrid& grid);

// Whether 65536 steps over the whole range are too coarse to separate the boxes.
template <int Dim>
bool too_coarse(const Sample<Dim>& sample);

}  // namespace winnow::tile_sweep
