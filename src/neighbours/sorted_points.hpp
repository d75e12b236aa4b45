// Points sorted by cell. A radix sort from the highest digit down that carries the points along: the first
// pass spreads them over buckets, the others stay within a bucket and in the cache, and the last one writes
// columns and has the cells at hand. Buckets are slices of the grid, some of them joined: where most of it is
// empty the slices are thin, so that few cells are left for the last pass where the points are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "neighbours/cell_grid.hpp"
#include "neighbours/neighbours_kernel.hpp"
#include "winnow/buffer.hpp"

namespace winnow {

// Points in the order of their cells, as columns, with the cells and rows that hold any. Points of one cell
// keep the caller's order.
template <int Dim, class Real>
class SortedPoints {
 public:
  struct Row {
    std::uint64_t key;  // its place among all rows of the grid
    std::uint32_t first_cell;
  };

  void build(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid, Executor& executor);

  std::size_t size() const { return size_; }
  PointColumns<Dim, Real> columns() const {
    PointColumns<Dim, Real> columns{{}, ids_.data()};
    for (int axis = 0; axis < Dim; ++axis) columns.x[axis] = x_[axis].data();
    return columns;
  }
  const Real* x(int axis) const { return x_[axis].data(); }
  const std::uint32_t* ids() const { return ids_.data(); }

  // Rows that hold points, in order; cells of row r are [rows[r].first_cell, rows[r + 1].first_cell).
  std::size_t rows() const { return rows_.size() - 1; }
  const Row& row(std::size_t r) const { return rows_[r]; }
  // Cell c is cell_x()[c] in its row and holds the points [cell_begins()[c], cell_begins()[c + 1]).
  const std::int32_t* cell_x() const { return cell_x_.data(); }
  const std::uint32_t* cell_begins() const { return cell_begin_.data(); }
  std::uint32_t row_begin(std::size_t r) const { return cell_begin_[rows_[r].first_cell]; }

  std::size_t memory_bytes() const;

 private:
  struct Record {
    Point<Dim, Real> at;
    std::uint32_t id;
  };
  // Room to sort one bucket.
  struct Worker {
    Buffer<Record> spare;
    Buffer<std::uint16_t> digits;
  };
  struct Refinement;

  // Records of neighbouring cells.
  struct Bucket {
    std::uint32_t begin;
    int bits;  // keys differ in the lowest ones only
  };

  void spread(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid, Executor& executor);
  void make_buckets(std::size_t parts, std::size_t slices, int shift);
  void join_cells(std::uint64_t cells_in_row);

  std::size_t size_ = 0;
  std::array<Buffer<Real>, Dim> x_;
  Buffer<std::uint32_t> ids_, cell_begin_;
  Buffer<std::int32_t> cell_x_;
  Buffer<std::uint64_t> cell_keys_;
  Buffer<Row> rows_;

  Buffer<Record> records_;              // bucket by bucket
  Buffer<Bucket> buckets_;              // and the end of the last
  Buffer<std::uint16_t> bucket_of_;     // each slice's
  Buffer<std::uint32_t> bucket_cells_;  // how many
  Buffer<std::uint32_t> places_;        // where each worker's records of each bucket go
  std::vector<Worker> workers_;
};

}  // namespace winnow
