// Columns: the boxes of a tile sorted by cell, as separate arrays of 16-bit bounds, and the sweep that tests
// each box against those after it in its column.
//
//   cell = (column of the two cross axes, bin along the sweep axis), columns one after the other:
//
//     column 0: | bin 0 | bin 1 | ... | column 1: | bin 0 | bin 1 | ... |
//
// A box lies in the bin of its lower bound and may meet boxes up to the bin of its upper bound: one range.
#pragma once

#include <array>
#include <span>

#include "methods/tile_sweep/quantise.hpp"
#include "winnow/buffer.hpp"
#include "winnow/sink.hpp"

namespace winnow {

// How steps become cells. Along an axis, part(x) = (min(x - origin, span) * parts_per_step) >> 16.
struct ColumnLayout {
  static constexpr std::uint32_t kMostCells = 65534;  // a cell and the one after it fit 16 bits

  std::array<int, 3> axis{0, 1, 2};              // the sweep's, then the columns' two
  std::array<std::uint16_t, 3> origin{0, 0, 0};  // in the order of `axis`, as all below
  std::array<std::uint16_t, 3> span{65535, 65535, 65535};
  std::array<std::uint32_t, 3> parts{1, 1, 1};           // bins, columns, columns
  std::array<std::uint16_t, 3> parts_per_step{0, 0, 0};  // in 1/65536

  std::uint32_t cells() const { return parts[0] * parts[1] * parts[2]; }
  // What one more column along cross axis 1 or 2 adds to a cell.
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

  // Sets the parts of an axis: no more than it has steps.
  void cut(int k, std::uint32_t wanted) {
    const std::uint32_t count = std::clamp<std::uint32_t>(wanted, 1, std::max<std::uint32_t>(1, span[k]));
    parts[k] = count;
    parts_per_step[k] =
        static_cast<std::uint16_t>(count <= 1 ? 0 : (std::uint64_t{count} << 16) / (span[k] + 1u));
  }
};

// The copies of a run of boxes: the cell of each one's lower corner; a straddler for each further column of a
// box that reaches into the next column on one axis or both; boxes that reach further, left to the caller.
struct CopyRun {
  std::uint16_t* cell;               // per box; room for the next multiple of 8
  std::uint32_t* straddler_cells;    // room for three per box and 16 more
  std::uint32_t* straddler_sources;  // the box's number, with seen_before bits
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

// Sorted copies of boxes, each bound an array of its own. Bounds are signed, upper ones complemented: then
// box q meets box v on a face when ~q[the opposite face] - v[face] >= 0, whichever the face.
// Invariant: past the last copy there are kSlack ones that meet nothing and that nothing meets.
class Columns {
 public:
  static constexpr std::size_t kSlack = 64;

  void resize(std::size_t size);
  void close();  // makes the invariant hold, when all else is filled
  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return values_.memory_bytes() + ids_.memory_bytes(); }

  // face k < 3: lower bound on layout.axis[k]; k >= 3: complement of the upper one.
  std::int16_t* face(int k) { return values_.data() + stride_ * k; }
  std::int16_t* cell() { return face(6); }       // less 32768
  std::int16_t* last_cell() { return face(7); }  // in reach along the column, less 32768
  std::int16_t* seen() { return face(8); }       // the seen_before bits of the tag, from bit 0 on
  std::uint32_t* ids() { return ids_.data(); }
  const std::int16_t* face(int k) const { return values_.data() + stride_ * k; }
  const std::int16_t* cell() const { return face(6); }
  const std::int16_t* last_cell() const { return face(7); }
  const std::int16_t* seen() const { return face(8); }
  const std::uint32_t* ids() const { return ids_.data(); }

 private:
  static constexpr std::size_t kArrays = 9;

  Buffer<std::int16_t> values_;
  Buffer<std::uint32_t> ids_;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
};

// Fills all but the cells of all copies, which are already set. sources[i] is the number of the box
// copied to place i, with seen_before bits that are added to its tag's; box number b lies at chunks[b /
// 128][b % 128]. Up to 8 sources past the end are read and must be valid.
void gather_columns(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                    const std::uint32_t* sources, Columns& columns);
void gather_columns_scalar(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                           const std::uint32_t* sources, Columns& columns);

// Writes all overlapping pairs of copies in the same column that no earlier cell has, by exact floats where
// steps are equal. Returns how many pairs of boxes were compared.
template <int Dim>
std::uint64_t sweep_columns(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer);
template <int Dim>
std::uint64_t sweep_columns_scalar(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer);

}  // namespace winnow
