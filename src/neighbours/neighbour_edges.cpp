#include "neighbours/neighbour_edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "winnow/hash_grid.hpp"
#include "winnow/registry.hpp"
#include "winnow/rounding.hpp"
#include "winnow/sink.hpp"

namespace winnow {
namespace {

// The box of a point's reach, a trifle larger than asked for, as floats around it.
template <int Dim, class Real>
Box<Dim> reach_box(const Point<Dim, Real>& point, const PeriodicImage<Dim, Real>& image, double half_width) {
  Box<Dim, double> box;
  for (int axis = 0; axis < Dim; ++axis) {
    const double x = static_cast<double>(point[axis]) + image.move[axis];
    const double width =
        half_width + 1e-12 * half_width +
        4 * std::numeric_limits<Real>::epsilon() * (std::abs(x) + std::abs(image.move[axis]));
    box.lo[axis] = x - width;
    box.hi[axis] = x + width;
  }
  return round_outward<Dim>(box);
}

}  // namespace

template <int Dim, class Real>
void rows_of_edges(std::span<const NeighbourEdge> edges, PointsView<Dim, Real> queries,
                   PointsView<Dim, Real> points, const std::vector<PeriodicImage<Dim, Real>>& images,
                   const std::function<Real(std::uint32_t row, std::uint32_t id)>& radius, bool distances,
                   Neighbours<Dim, Real>& lists) {
  std::vector<Real> squared(edges.size());
  std::vector<bool> kept(edges.size());
  lists.offsets.resize_for_overwrite(queries.size() + 1);
  std::fill(lists.offsets.begin(), lists.offsets.end(), 0);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [row, id, image] = edges[e];
    Real sum = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      const Real d = (points.at(axis, id) - queries.at(axis, row)) + images[image].move[axis];
      sum = axis == 0 ? d * d : sum + d * d;
    }
    const Real r = radius(row, id);
    squared[e] = sum;
    kept[e] = sum <= r * r;
    if (kept[e]) ++lists.offsets[row + 1];
  }
  for (std::size_t row = 0; row < queries.size(); ++row) lists.offsets[row + 1] += lists.offsets[row];
  const std::uint64_t total = lists.offsets[queries.size()];
  lists.ids.resize_for_overwrite(total);
  lists.squared_distances.resize_for_overwrite(distances ? total : 0);
  lists.shifts.resize_for_overwrite(images.size() > 1 ? total : 0);
  std::vector<std::uint64_t> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!kept[e]) continue;
    const std::uint64_t place = next[edges[e].row]++;
    lists.ids[place] = edges[e].id;
    if (distances) lists.squared_distances[place] = squared[e];
    if (images.size() > 1) lists.shifts[place] = images[edges[e].image].shift;
  }
}

template <int Dim, class Real>
std::vector<NeighbourEdge> edges_by_pairs(
    PointsView<Dim, Real> queries, PointsView<Dim, Real> points, bool self,
    const std::function<double(bool query, std::uint32_t i)>& half_width, const Reach<Dim, Real>& reach,
    Executor& executor) {
  struct Seen {
    std::uint32_t id, image;
    bool query;
  };
  std::vector<Seen> seen;
  std::vector<Box<Dim>> boxes;
  const auto add = [&](std::uint32_t id, std::uint32_t image, bool query, const Point<Dim, Real>& point) {
    boxes.push_back(reach_box<Dim, Real>(point, reach.images[image], half_width(query, id)));
    seen.push_back({id, image, query});
  };
  for (std::uint32_t i = 0; i < queries.size(); ++i) add(i, 0, true, queries[i]);
  for (std::uint32_t image = self ? 1 : 0; image < reach.images.size(); ++image)
    for (std::uint32_t i = 0; i < points.size(); ++i) add(i, image, false, points[i]);

  AnyMethod<Dim> method = make_method<Dim>(default_method());
  method.update(BoxesView<Dim>(boxes), executor);
  CollectSink sink;
  method.find_pairs(executor, sink);
  std::vector<NeighbourEdge> edges;
  for (std::size_t part = 0; part < sink.parts(); ++part) {
    for (const auto [a, b] : sink.part(part)) {
      if (seen[a].query && !seen[b].query) edges.push_back({seen[a].id, seen[b].id, seen[b].image});
      if (!self || !seen[a].query || !seen[b].query)
        continue;  // queries stand before points, so b is no query alone
      edges.push_back({seen[a].id, seen[b].id, 0});
      edges.push_back({seen[b].id, seen[a].id, 0});
    }
  }
  return edges;
}

template <int Dim, class Real>
std::vector<NeighbourEdge> edges_by_hashing(PointsView<Dim, Real> points, const Reach<Dim, Real>& reach) {
  // Cells of the radius, and larger ones above them whose emptiness is seen at a glance.
  const int size_class = std::ilogb(static_cast<double>(reach.plain[0])) + 1;
  HashGrid<Dim> grid(HashScheme::hierarchical, {size_class + 3, size_class});
  const double half_width = *std::ranges::max_element(reach.moved);
  std::vector<NeighbourEdge> edges;
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    for (std::uint32_t image = 0; image < reach.images.size(); ++image) {
      near.clear();
      const Point<Dim, Real> point = points[i];
      PeriodicImage<Dim, Real> back;  // j seen through an image is near i when i moved back is near j
      for (int axis = 0; axis < Dim; ++axis) back.move[axis] = -reach.images[image].move[axis];
      grid.candidates(reach_box<Dim, Real>(point, back, half_width), near);
      for (const std::uint32_t j : near) {
        edges.push_back({i, j, image});
        edges.push_back({j, i, reach.opposite(image)});
      }
      if (image != 0) edges.push_back({i, i, image});
    }
    grid.insert(i, reach_box<Dim, Real>(points[i], reach.images[0], 0));
  }
  return edges;
}

#define WINNOW_INSTANTIATE(Dim, Real)                                                                        \
  template void rows_of_edges<Dim, Real>(                                                                    \
      std::span<const NeighbourEdge>, PointsView<Dim, Real>, PointsView<Dim, Real>,                          \
      const std::vector<PeriodicImage<Dim, Real>>&,                                                          \
      const std::function<Real(std::uint32_t, std::uint32_t)>&, bool, Neighbours<Dim, Real>&);               \
  template std::vector<NeighbourEdge> edges_by_pairs<Dim, Real>(                                             \
      PointsView<Dim, Real>, PointsView<Dim, Real>, bool, const std::function<double(bool, std::uint32_t)>&, \
      const Reach<Dim, Real>&, Executor&);                                                                   \
  template std::vector<NeighbourEdge> edges_by_hashing<Dim, Real>(PointsView<Dim, Real>,                     \
                                                                  const Reach<Dim, Real>&);
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
