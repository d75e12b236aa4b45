// Step 4: the sweep, which tests each copy against those after it in its column and writes the pairs.
#pragma once

#include "methods/tile_sweep/columns.hpp"
#include "winnow/box.hpp"
#include "winnow/sink.hpp"

namespace winnow::tile_sweep {

// Writes every overlapping pair of copies in one column, unless an earlier cell has the pair too. Where
// quantised bounds are equal, the exact floats decide. Returns the number of comparisons.
template <int Dim>
std::uint64_t sweep_columns(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer);
template <int Dim>
std::uint64_t sweep_columns_scalar(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer);

}  // namespace winnow::tile_sweep
