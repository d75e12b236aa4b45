// Neighbours found pair by pair: for radii that differ, for points too far apart to number their cells, and
// by hashing.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "neighbours/cell_search.hpp"
#include "winnow/neighbours.hpp"

namespace winnow {

// Row `row` has the neighbour `id`, seen through image `image`.
struct NeighbourEdge {
  std::uint32_t row, id, image;
};

// Edges whose computed distance is within the radius of their two ends become rows 0 .. rows - 1.
template <int Dim, class Real>
void rows_of_edges(std::span<const NeighbourEdge> edges, PointsView<Dim, Real> queries,
                   PointsView<Dim, Real> points, const std::vector<PeriodicImage<Dim, Real>>& images,
                   const std::function<Real(std::uint32_t row, std::uint32_t id)>& radius, bool distances,
                   Neighbours<Dim, Real>& lists);

// Candidates by the default pair finder, on boxes of half_width(i) around points. `self`: queries and points
// are one, and the edges go both ways.
template <int Dim, class Real>
std::vector<NeighbourEdge> edges_by_pairs(
    PointsView<Dim, Real> queries, PointsView<Dim, Real> points, bool self,
    const std::function<double(bool query, std::uint32_t i)>& half_width, const Reach<Dim, Real>& reach,
    Executor& executor);

// Candidates by Listing 3 of Pouchol et al. 2009: each point asks the hash for those inserted before it, then
// is inserted.
template <int Dim, class Real>
std::vector<NeighbourEdge> edges_by_hashing(PointsView<Dim, Real> points, const Reach<Dim, Real>& reach);

}  // namespace winnow
