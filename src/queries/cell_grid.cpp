#include "queries/cell_grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

namespace winnow {

template <int Dim, class Real>
Bounds<Dim, Real> finite_bounds(PointsView<Dim, Real> points, Executor& executor) {
  constexpr std::size_t kBlock = 8192;
  constexpr Real most = std::numeric_limits<Real>::max();
  Bounds<Dim, Real> bounds{};
  if (points.empty()) return bounds;
  bounds = {points[0], points[0]};
  std::vector<Bounds<Dim, Real>> parts(executor.workers(), bounds);
  std::atomic<std::size_t> bad{points.size()};
  parallel_for(executor, points.size(), kBlock, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    Bounds<Dim, Real> part = parts[worker];
    for (std::size_t i = begin; i < end; ++i) {
      bool finite = true;
      for (int axis = 0; axis < Dim; ++axis) {
        const Real x = points.at(axis, i);
        finite &= std::abs(x) <= most;
        part.lo[axis] = std::min(part.lo[axis], x);
        part.hi[axis] = std::max(part.hi[axis], x);
      }
      if (finite) continue;
      std::size_t known = bad.load();
      while (i < known && !bad.compare_exchange_weak(known, i)) {
      }
      break;
    }
    parts[worker] = part;
  });
  if (bad != points.size())
    throw Error("points", "point " + std::to_string(bad) + ": coordinates must be finite numbers",
                bad.load());
  for (const auto& part : parts) {
    for (int axis = 0; axis < Dim; ++axis) {
      bounds.lo[axis] = std::min(bounds.lo[axis], part.lo[axis]);
      bounds.hi[axis] = std::max(bounds.hi[axis], part.hi[axis]);
    }
  }
  return bounds;
}

template <int Dim, class Real>
std::optional<CellGrid<Dim, Real>> CellGrid<Dim, Real>::make(const Bounds<Dim, Real>& bounds,
                                                             double cell_size) {
  CellGrid grid;
  for (int axis = 0; axis < Dim; ++axis) {
    const double width = static_cast<double>(bounds.hi[axis]) - static_cast<double>(bounds.lo[axis]);
    const double cells = std::floor(width / cell_size) + 1;
    if (!(cells <= static_cast<double>(kMostCells))) return std::nullopt;
    grid.cells_[axis] = static_cast<std::int32_t>(cells);
    grid.lo_[axis] = bounds.lo[axis];
    grid.scale_[axis] = static_cast<Real>(1 / cell_size);
    // One cell needs no scale; and a scale of zero or infinity (an extreme size) would make a number of
    // nothing.
    if (grid.cells_[axis] == 1 || !std::isnormal(grid.scale_[axis])) {
      grid.cells_[axis] = 1;
      grid.scale_[axis] = 1;
    }
  }
  return grid;
}

template <int Dim, class Real>
void SortedPoints<Dim, Real>::build(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid,
                                    Executor& executor) {
  size_ = points.size();
  ids_.resize_for_overwrite(size_ + kNeighbourSlack);
  for (Buffer<Real>& column : x_) {
    column.resize_for_overwrite(size_ + kNeighbourSlack);
    std::fill_n(column.data() + size_, kNeighbourSlack, Real{0});  // read, never used
  }
  std::fill_n(ids_.data() + size_, kNeighbourSlack, 0u);
  if (grid.total_cells() <= std::numeric_limits<std::uint32_t>::max())
    sort(points, grid, executor, narrow_);
  else
    sort(points, grid, executor, wide_);
}

template <int Dim, class Real>
template <class Key>
void SortedPoints<Dim, Real>::sort(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid,
                                   Executor& executor, Sorting<Key>& sorting) {
  auto& [records, scratch] = sorting;
  records.resize_for_overwrite(size_);
  parallel_for(executor, size_, 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i)
      records[i] = {static_cast<Key>(grid.key(points[i])), static_cast<std::uint32_t>(i)};
  });
  radix_sort(records, scratch, executor);
  parallel_for(executor, size_, 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t id = records[k].id;
      ids_[k] = id;
      for (int axis = 0; axis < Dim; ++axis) x_[axis][k] = points.at(axis, id);
    }
  });
  find_cells(records, static_cast<std::uint64_t>(grid.cells(0)));
}

template <int Dim, class Real>
void SortedPoints<Dim, Real>::find_cells(const auto& records, std::uint64_t cells_in_row) {
  cell_x_.resize_for_overwrite(size_ + 1);
  cell_begin_.resize_for_overwrite(size_ + 1);
  rows_.resize_for_overwrite(size_ + 1);
  std::uint32_t cells = 0;
  std::size_t rows = 0;
  std::uint64_t row_end = 0;  // first key past the current row
  for (std::size_t k = 0; k < size_; ++k) {
    const std::uint64_t key = records[k].key;
    if (k != 0 && key == records[k - 1].key) continue;
    if (key >= row_end) {
      const std::uint64_t row = key / cells_in_row;
      row_end = (row + 1) * cells_in_row;
      rows_[rows++] = {row, cells};
    }
    cell_x_[cells] = static_cast<std::uint32_t>(key + cells_in_row - row_end);
    cell_begin_[cells++] = static_cast<std::uint32_t>(k);
  }
  // Ends for the last cell and row. No coordinate reaches them.
  cell_x_[cells] = std::numeric_limits<std::uint32_t>::max();
  cell_begin_[cells] = static_cast<std::uint32_t>(size_);
  rows_[rows] = {std::numeric_limits<std::uint64_t>::max(), cells};
  rows_.resize(rows + 1);
}

template <int Dim, class Real>
PointColumns<Dim, Real> SortedPoints<Dim, Real>::columns() const {
  PointColumns<Dim, Real> columns{{}, ids_.data()};
  for (int axis = 0; axis < Dim; ++axis) columns.x[axis] = x_[axis].data();
  return columns;
}

template <int Dim, class Real>
std::size_t SortedPoints<Dim, Real>::memory_bytes() const {
  std::size_t bytes = ids_.memory_bytes() + cell_x_.memory_bytes() + cell_begin_.memory_bytes() +
                      rows_.memory_bytes() + narrow_.records.memory_bytes() + narrow_.scratch.memory_bytes() +
                      wide_.records.memory_bytes() + wide_.scratch.memory_bytes();
  for (const Buffer<Real>& column : x_) bytes += column.memory_bytes();
  return bytes;
}

#define WINNOW_INSTANTIATE(Dim, Real)                                                    \
  template Bounds<Dim, Real> finite_bounds<Dim, Real>(PointsView<Dim, Real>, Executor&); \
  template class CellGrid<Dim, Real>;                                                    \
  template class SortedPoints<Dim, Real>;
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
