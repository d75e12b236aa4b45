// Cells of one size over the points' bounds: where a coordinate falls, and points sorted by cell.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "algo/radix_sort.hpp"
#include "simd/neighbours.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"
#include "winnow/points.hpp"

namespace winnow {

template <int Dim, class Real>
struct Bounds {
  std::array<Real, Dim> lo, hi;
};

// Throws Error naming the first point that is not finite. Of no points: the origin.
template <int Dim, class Real>
Bounds<Dim, Real> finite_bounds(PointsView<Dim, Real> points, Executor& executor);

// Cells are numbered row by row: a row is a line of cells along x.
template <int Dim, class Real>
class CellGrid {
 public:
  static constexpr std::int64_t kMostCells = 1 << 20;  // along an axis, so that a cell's number fits 60 bits

  // None when the bounds hold more cells of that size than can be numbered.
  static std::optional<CellGrid> make(const Bounds<Dim, Real>& bounds, double cell_size);

  // Monotone in the coordinate; places outside the bounds fall into the outermost cells.
  std::int32_t cell(int axis, Real x) const {
    const Real at = (x - lo_[axis]) * scale_[axis];
    const Real last = static_cast<Real>(cells_[axis] - 1);
    return static_cast<std::int32_t>(at > 0 ? (at < last ? at : last) : Real{0});
  }
  std::int32_t cells(int axis) const { return cells_[axis]; }

  std::uint64_t key(const Point<Dim, Real>& point) const {
    std::uint64_t key = 0;
    for (int axis = Dim - 1; axis >= 0; --axis)
      key = key * static_cast<std::uint64_t>(cells_[axis]) +
            static_cast<std::uint64_t>(cell(axis, point[axis]));
    return key;
  }
  std::uint64_t total_cells() const {
    std::uint64_t product = 1;
    for (int axis = 0; axis < Dim; ++axis) product *= static_cast<std::uint64_t>(cells_[axis]);
    return product;
  }

 private:
  std::array<Real, Dim> lo_, scale_;
  std::array<std::int32_t, Dim> cells_;
};

// Points in the order of their cells, as columns, with the cells and rows that hold any.
template <int Dim, class Real>
class SortedPoints {
 public:
  struct Row {
    std::uint64_t key;  // its place among all rows of the grid
    std::uint32_t first_cell;
  };

  void build(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid, Executor& executor);

  std::size_t size() const { return size_; }
  PointColumns<Dim, Real> columns() const;
  const Real* x(int axis) const { return x_[axis].data(); }
  const std::uint32_t* ids() const { return ids_.data(); }

  // Rows that hold points, in order; cells of row r are [rows[r].first_cell, rows[r + 1].first_cell).
  std::size_t rows() const { return rows_.size() - 1; }
  const Row& row(std::size_t r) const { return rows_[r]; }
  // Cell c is cell_x(c) in its row and holds the points [cell_begin(c), cell_begin(c + 1)).
  std::uint32_t cell_x(std::size_t c) const { return cell_x_[c]; }
  std::uint32_t cell_begin(std::size_t c) const { return cell_begin_[c]; }
  std::uint32_t row_begin(std::size_t r) const { return cell_begin_[rows_[r].first_cell]; }

  std::size_t memory_bytes() const;

 private:
  template <class Key>
  struct Sorting {
    Buffer<KeyedId<Key>> records;
    RadixScratch<KeyedId<Key>> scratch;
  };
  template <class Key>
  void sort(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid, Executor& executor,
            Sorting<Key>& sorting);
  void find_cells(const auto& records, std::uint64_t cells_in_row);

  std::size_t size_ = 0;
  std::array<Buffer<Real>, Dim> x_;
  Buffer<std::uint32_t> ids_, cell_x_, cell_begin_;
  Buffer<Row> rows_;
  Sorting<std::uint32_t> narrow_;
  Sorting<std::uint64_t> wide_;
};

}  // namespace winnow
