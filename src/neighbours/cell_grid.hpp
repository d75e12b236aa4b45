// Cells of one size over the points' bounds: where a coordinate falls.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

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
    const Real below = at < last_[axis] ? at : last_[axis];
    return static_cast<std::int32_t>(below > 0 ? below : Real{0});
  }
  std::int32_t cells(int axis) const { return cells_[axis]; }

  std::uint64_t key(const Point<Dim, Real>& point) const {
    std::uint64_t key = 0;
    for (int axis = Dim - 1; axis >= 0; --axis)
      key = key * static_cast<std::uint32_t>(cells_[axis]) +
            static_cast<std::uint32_t>(cell(axis, point[axis]));
    return key;
  }
  std::uint64_t total_cells() const {
    std::uint64_t product = 1;
    for (int axis = 0; axis < Dim; ++axis) product *= static_cast<std::uint64_t>(cells_[axis]);
    return product;
  }

 private:
  std::array<Real, Dim> lo_, scale_, last_;  // last_: the outermost cell
  std::array<std::int32_t, Dim> cells_;
};

}  // namespace winnow
