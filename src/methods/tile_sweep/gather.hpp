// Step 3b: copies each box to the columns it reaches, and gathers the copies in sorted order.
#pragma once

#include "methods/tile_sweep/column_layout.hpp"
#include "methods/tile_sweep/columns.hpp"

namespace winnow::tile_sweep {

// The copies of a run of boxes. Every box gets the cell of its lower corner. A box that reaches into the next
// column on one axis or both gets a straddler for each further column. Boxes that reach further are listed as
// wide and left to the caller.
struct CopyRun {
  std::uint16_t* cell;               // per box; room for the next multiple of 8
  std::uint32_t* straddler_cells;    // room for three per box and 16 more
  std::uint32_t* straddler_sources;  // the box's number, with later-axis bits
  std::uint32_t* wide;               // numbers; room for one per box and 8 more
};
struct CopyCounts {
  std::size_t straddlers = 0, wide = 0;
};
// Boxes are numbered from `first`. Reads up to the next multiple of 8 boxes.
CopyCounts find_copies(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                       std::uint32_t first, const CopyRun& out);
CopyCounts find_copies_scalar(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                              std::uint32_t first, const CopyRun& out);

// Fills everything but the cells, which are already set. sources[i] is the number of the box copied to place
// i, with later-axis bits that are added to those of its tag. Box number b lies at chunks[b / 128][b % 128].
// Up to 8 sources past the end are read and must be valid.
void gather_columns(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                    const std::uint32_t* sources, Columns& columns);
void gather_columns_scalar(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                           const std::uint32_t* sources, Columns& columns);

}  // namespace winnow::tile_sweep
