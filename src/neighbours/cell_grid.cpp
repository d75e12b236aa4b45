#include "neighbours/cell_grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
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
    grid.last_[axis] = static_cast<Real>(grid.cells_[axis] - 1);
  }
  return grid;
}

#define WINNOW_INSTANTIATE(Dim, Real)                                                    \
  template Bounds<Dim, Real> finite_bounds<Dim, Real>(PointsView<Dim, Real>, Executor&); \
  template class CellGrid<Dim, Real>;
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
