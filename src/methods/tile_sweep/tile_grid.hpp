// Where to cut: scales, and the grid of tiles for a sample.
#pragma once

#include "methods/tile_sweep/sample.hpp"
#include "methods/tile_sweep/scatter.hpp"

namespace winnow::tile_sweep {

// The scale of one tile over everything.
template <int Dim>
Scale whole_scale(const Sample<Dim>& sample);

// Cuts into about `tiles` tiles of as many boxes each; fewer when they would be thinner than two boxes.
// Returns false, and leaves no grid, when one tile is all there is to have.
template <int Dim>
bool choose_grid(const Sample<Dim>& sample, std::size_t tiles, TileGrid& grid);

// Whether 65536 steps over all of it are too few to tell boxes apart.
template <int Dim>
bool too_coarse(const Sample<Dim>& sample);

}  // namespace winnow::tile_sweep
