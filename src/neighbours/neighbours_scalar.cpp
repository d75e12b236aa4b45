#include <algorithm>

#include "neighbours/neighbours_kernel.hpp"

namespace winnow {

template <int Dim, class Real>
std::uint64_t neighbours_of_cells_scalar(const NeighbourCells<Dim, Real>& cells,
                                         const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                         std::uint64_t* row_ends) {
  std::uint64_t count = 0;
  const auto look = [&](std::size_t query, std::size_t point, const PeriodicImage<Dim, Real>& image) {
    Real sum = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      const Real d = (cells.points.x[axis][point] - cells.queries.x[axis][query]) + image.move[axis];
      sum = axis == 0 ? d * d : sum + d * d;
    }
    if (!(sum <= cells.squared_radius)) return;
    out.ids[count] = cells.points.ids[point];
    if (out.squared_distances != nullptr) out.squared_distances[count] = sum;
    if (out.shifts != nullptr) out.shifts[count] = image.shift;
    ++count;
  };
  for (std::size_t c = 0; c < cells.size; ++c) {
    const std::size_t begin = cells.begins[c], end = cells.begins[c + 1];
    const CandidateRange* const ranges = cells.ranges + c * cells.stride;
    for (std::size_t query = begin; query < end; ++query) {
      if (cells.self)
        for (std::size_t point = cells.half ? query + 1 : begin; point < end; ++point)
          if (point != query) look(query, point, *cells.images.front().image);
      std::uint32_t range = 0;
      for (const auto& [image, ranges_end] : cells.images)
        for (; range < ranges_end; ++range)
          for (std::size_t point = ranges[range].begin; point < ranges[range].end; ++point)
            look(query, point, *image);
      row_ends[query] = written + count;
    }
  }
  return written + count;
}

template <int Dim, class Real>
void bounds_of_run_scalar(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end,
                          std::array<Real, Dim>& lo, std::array<Real, Dim>& hi) {
  for (int axis = 0; axis < Dim; ++axis) {
    lo[axis] = hi[axis] = points.x[axis][begin];
    for (std::size_t i = begin + 1; i < end; ++i) {
      lo[axis] = std::min(lo[axis], points.x[axis][i]);
      hi[axis] = std::max(hi[axis], points.x[axis][i]);
    }
  }
}

#define WINNOW_INSTANTIATE(Dim, Real)                                                                      \
  template std::uint64_t neighbours_of_cells_scalar<Dim, Real>(                                            \
      const NeighbourCells<Dim, Real>&, const NeighbourOutput<Dim, Real>&, std::uint64_t, std::uint64_t*); \
  template void bounds_of_run_scalar<Dim, Real>(const PointColumns<Dim, Real>&, std::size_t, std::size_t,  \
                                                std::array<Real, Dim>&, std::array<Real, Dim>&);
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
