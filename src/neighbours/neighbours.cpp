// Neighbours within a radius. 1 bounds and cells of a little more than the radius  2 points sorted by cell  3
// each cell's points against the runs of cells around it, row by row  4 rows put into the caller's order if
// asked for.
#include "winnow/neighbours.hpp"

#include <algorithm>
#include <cmath>

#include "base/float_mode.hpp"
#include "neighbours/cell_grid.hpp"
#include "neighbours/cell_search.hpp"
#include "neighbours/neighbour_edges.hpp"
#include "neighbours/neighbour_rows.hpp"
#include "neighbours/sorted_points.hpp"

namespace winnow {
namespace {

// Squares of radii in between neither overflow nor lose bits.
template <class Real>
constexpr double kLeastRadius = std::is_same_v<Real, float> ? 1e-15 : 1e-140;
template <class Real>
constexpr double kMostRadius = std::is_same_v<Real, float> ? 1e15 : 1e140;

template <class Real>
bool fits(Real radius) {
  return radius >= kLeastRadius<Real> && radius <= kMostRadius<Real>;
}

void require_radius(double radius) {
  if (!(radius > 0) || !fits<double>(radius))
    throw Error("radius", "radius: must be a number between 1e-140 and 1e140, got " + std::to_string(radius));
}

template <int Dim, class Real>
void require_period(const NeighbourOptions<Dim>& options, double radius, const Bounds<Dim, Real>& queries,
                    const Bounds<Dim, Real>& points) {
  for (int axis = 0; axis < Dim; ++axis) {
    const double length = options.period[axis];
    const std::string name = std::string("period along ") + "xyz"[axis];
    if (length == 0) continue;
    if (!(length > 0) || !std::isfinite(length))
      throw Error("period", name + ": must be positive, or 0 for none, got " + std::to_string(length), axis);
    const double width = std::max<double>(queries.hi[axis], points.hi[axis]) -
                         std::min<double>(queries.lo[axis], points.lo[axis]);
    if (width > length)
      throw Error("period",
                  name + ": points span " + std::to_string(width) + ", more than the period of " +
                      std::to_string(length) + "; wrap them first",
                  axis);
    if (radius / length > 100)
      throw Error("radius", "radius: at most 100 periods, got " + std::to_string(radius / length), axis);
  }
}

template <int Dim>
bool periodic(const NeighbourOptions<Dim>& options) {
  return std::ranges::any_of(options.period, [](double length) { return length != 0; });
}

}  // namespace

template <int Dim, class Real>
struct NeighbourSearch<Dim, Real>::State {
  SortedPoints<Dim, Real> points, queries;
  CellSearch<Dim, Real> search;
  Neighbours<Dim, Real> sorted;  // rows in sorted order, when the caller wants another
  Buffer<std::uint64_t> begins;  // of the rows in `sorted`, in the caller's order

  void finish(const std::uint32_t* ids, std::size_t rows, const NeighbourOptions<Dim>& options,
              Executor& executor, Neighbours<Dim, Real>& lists) {
    if (options.rows == RowOrder::caller) {
      scatter_rows(sorted, ids, executor, begins, lists);
      lists.row_ids.clear();
    } else {
      lists.row_ids.resize_for_overwrite(rows);
      std::copy_n(ids, rows, lists.row_ids.data());
    }
  }

  // Rows that were made in the caller's order are the sorted ones too.
  static void in_place(const NeighbourOptions<Dim>& options, Neighbours<Dim, Real>& lists) {
    lists.row_ids.resize_for_overwrite(options.rows == RowOrder::sorted ? lists.rows() : 0);
    for (std::size_t i = 0; i < lists.row_ids.size(); ++i) lists.row_ids[i] = static_cast<std::uint32_t>(i);
  }

  void between(PointsView<Dim, Real> query_points, PointsView<Dim, Real> found_points, bool self, Real radius,
               const NeighbourOptions<Dim>& options, Executor& executor, Neighbours<Dim, Real>& lists);
  void by_edges(PointsView<Dim, Real> query_points, PointsView<Dim, Real> found_points, bool self,
                const Reach<Dim, Real>& reach, const NeighbourOptions<Dim>& options, Executor& executor,
                Neighbours<Dim, Real>& lists);
};

template <int Dim, class Real>
void NeighbourSearch<Dim, Real>::State::between(PointsView<Dim, Real> query_points,
                                                PointsView<Dim, Real> found_points, bool self, Real radius,
                                                const NeighbourOptions<Dim>& options, Executor& executor,
                                                Neighbours<Dim, Real>& lists) {
  const auto point_bounds = finite_bounds(found_points, executor);
  const auto query_bounds = self ? point_bounds : finite_bounds(query_points, executor);
  require_period(options, radius, query_bounds, point_bounds);
  const Reach<Dim, Real> reach(radius, query_bounds, point_bounds, options.period);
  const double cell_size = *std::ranges::max_element(reach.moved) * 1.001;
  const auto grid = CellGrid<Dim, Real>::make(point_bounds, cell_size);
  if (!grid || options.method == NeighbourMethod::hierarchical_hash)
    return by_edges(query_points, found_points, self, reach, options, executor, lists);

  points.build(found_points, *grid, executor);
  if (!self) queries.build(query_points, *grid, executor);
  const SortedPoints<Dim, Real>& asking = self ? points : queries;
  const bool half = self && options.lists == NeighbourLists::half;
  Neighbours<Dim, Real>& rows = options.rows == RowOrder::caller ? sorted : lists;
  search.run(asking, points, *grid, reach, self, half && !periodic(options), options.distances, executor,
             rows);
  if (half && periodic(options)) keep_half(asking.ids(), rows);
  finish(asking.ids(), asking.size(), options, executor, lists);
}

template <int Dim, class Real>
void NeighbourSearch<Dim, Real>::State::by_edges(PointsView<Dim, Real> query_points,
                                                 PointsView<Dim, Real> found_points, bool self,
                                                 const Reach<Dim, Real>& reach,
                                                 const NeighbourOptions<Dim>& options, Executor& executor,
                                                 Neighbours<Dim, Real>& lists) {
  const double half_width = *std::ranges::max_element(reach.moved) / 2;
  const std::vector<NeighbourEdge> edges =
      self && options.method == NeighbourMethod::hierarchical_hash
          ? edges_by_hashing(found_points, reach)
          : edges_by_pairs<Dim, Real>(
                query_points, found_points, self, [&](bool, std::uint32_t) { return half_width; }, reach,
                executor);
  rows_of_edges<Dim, Real>(
      edges, query_points, found_points, reach.images,
      [&](std::uint32_t, std::uint32_t) { return reach.radius; }, options.distances, lists);
  in_place({.rows = RowOrder::sorted}, lists);
  if (self && options.lists == NeighbourLists::half) keep_half(lists.row_ids.data(), lists);
  in_place(options, lists);
}

namespace {

// The same search in double, for radii whose squares floats can't hold.
template <int Dim, class Search>
void in_double(PointsView<Dim, float> points, Neighbours<Dim, float>& lists, Search search) {
  std::vector<Point<Dim, double>> wide(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int axis = 0; axis < Dim; ++axis) wide[i][axis] = points.at(axis, i);
  Neighbours<Dim, double> found;
  search(wide, found);
  lists.offsets.swap(found.offsets);
  lists.ids.swap(found.ids);
  lists.shifts.swap(found.shifts);
  lists.row_ids.swap(found.row_ids);
  lists.squared_distances.resize_for_overwrite(found.squared_distances.size());
  std::ranges::transform(found.squared_distances, lists.squared_distances.begin(),
                         [](double d) { return static_cast<float>(std::min(d, 3.4028234663852886e38)); });
}

}  // namespace

template <int Dim, class Real>
NeighbourSearch<Dim, Real>::NeighbourSearch() : state_(std::make_unique<State>()) {}
template <int Dim, class Real>
NeighbourSearch<Dim, Real>::~NeighbourSearch() = default;
template <int Dim, class Real>
NeighbourSearch<Dim, Real>::NeighbourSearch(NeighbourSearch&&) noexcept = default;
template <int Dim, class Real>
NeighbourSearch<Dim, Real>& NeighbourSearch<Dim, Real>::operator=(NeighbourSearch&&) noexcept = default;

template <int Dim, class Real>
void NeighbourSearch<Dim, Real>::find(PointsView<Dim, Real> points, Real radius,
                                      const NeighbourOptions<Dim>& options, Executor& executor,
                                      Neighbours<Dim, Real>& lists) {
  const DefaultFloatMode mode;
  require_radius(radius);
  if constexpr (std::is_same_v<Real, float>) {
    if (!fits(radius)) {
      return in_double(points, lists, [&](const auto& wide, auto& found) {
        NeighbourSearch<Dim, double>().find(wide, radius, options, executor, found);
      });
    }
  }
  state_->between(points, points, true, radius, options, executor, lists);
}

template <int Dim, class Real>
void NeighbourSearch<Dim, Real>::find_between(PointsView<Dim, Real> queries, PointsView<Dim, Real> points,
                                              Real radius, const NeighbourOptions<Dim>& options,
                                              Executor& executor, Neighbours<Dim, Real>& lists) {
  const DefaultFloatMode mode;
  require_radius(radius);
  if constexpr (std::is_same_v<Real, float>) {
    if (!fits(radius)) {
      return in_double(points, lists, [&](const auto& wide, auto& found) {
        std::vector<Point<Dim, double>> asking(queries.size());
        for (std::size_t i = 0; i < queries.size(); ++i)
          for (int axis = 0; axis < Dim; ++axis) asking[i][axis] = queries.at(axis, i);
        NeighbourSearch<Dim, double>().find_between(asking, wide, radius, options, executor, found);
      });
    }
  }
  state_->between(queries, points, false, radius, options, executor, lists);
}

template <int Dim, class Real>
void NeighbourSearch<Dim, Real>::find_with_radii(PointsView<Dim, Real> points, std::span<const Real> radii,
                                                 RadiusRule rule, const NeighbourOptions<Dim>& options,
                                                 Executor& executor, Neighbours<Dim, Real>& lists) {
  const DefaultFloatMode mode;
  if (radii.size() != points.size())
    throw Error("radii", "radii: " + std::to_string(points.size()) + " points need as many radii, got " +
                             std::to_string(radii.size()));
  Real most = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    if (!(radii[i] >= 0) || !(radii[i] == 0 || fits(radii[i])))
      throw Error("radii",
                  "radius " + std::to_string(i) + ": must be 0 or a number between " +
                      std::to_string(kLeastRadius<Real>) + " and " + std::to_string(kMostRadius<Real>) +
                      ", got " + std::to_string(radii[i]),
                  i);
    most = std::max(most, radii[i]);
  }
  const auto bounds = finite_bounds(points, executor);
  const Real farthest = rule == RadiusRule::sum ? 2 * most : most;
  require_period(options, farthest, bounds, bounds);
  const Reach<Dim, Real> reach(farthest, bounds, bounds, options.period);

  const auto within = [&](std::uint32_t i, std::uint32_t j) {
    return rule == RadiusRule::sum      ? radii[i] + radii[j]
           : rule == RadiusRule::larger ? std::max(radii[i], radii[j])
                                        : std::min(radii[i], radii[j]);
  };
  // Boxes that overlap whenever two points are near enough: half widths add up to at least the radius of the
  // pair.
  const double share = rule == RadiusRule::smaller ? 0.5 : 1.0;
  const double slack = 1 + 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  const auto half_width = [&](bool, std::uint32_t i) {
    return share * slack * static_cast<double>(radii[i]);
  };
  const auto edges = edges_by_pairs<Dim, Real>(points, points, true, half_width, reach, executor);
  rows_of_edges<Dim, Real>(edges, points, points, reach.images, within, options.distances, lists);
  State::in_place({.rows = RowOrder::sorted}, lists);
  if (options.lists == NeighbourLists::half) keep_half(lists.row_ids.data(), lists);
  State::in_place(options, lists);
}

template <int Dim, class Real>
std::size_t NeighbourSearch<Dim, Real>::memory_bytes() const {
  const auto& s = *state_;
  return s.points.memory_bytes() + s.queries.memory_bytes() + s.search.memory_bytes() +
         s.sorted.ids.memory_bytes() + s.sorted.offsets.memory_bytes() +
         s.sorted.squared_distances.memory_bytes() + s.sorted.shifts.memory_bytes() + s.begins.memory_bytes();
}

template <int Dim, class Real>
Neighbours<Dim, Real> neighbours(PointsView<Dim, Real> points, Real radius,
                                 const NeighbourOptions<Dim>& options, std::size_t threads) {
  Neighbours<Dim, Real> lists;
  NeighbourSearch<Dim, Real>().find(points, radius, options, *make_executor(threads), lists);
  return lists;
}

#define WINNOW_INSTANTIATE(Dim, Real)                                               \
  template class NeighbourSearch<Dim, Real>;                                        \
  template Neighbours<Dim, Real> neighbours<Dim, Real>(PointsView<Dim, Real>, Real, \
                                                       const NeighbourOptions<Dim>&, std::size_t);
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
