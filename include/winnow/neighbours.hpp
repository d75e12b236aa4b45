// All neighbours of points within a radius, as lists in compressed rows.
//   winnow::Neighbours lists = winnow::neighbours<3>(points, 0.1);
//   for (std::uint32_t j : lists.row(i)) ...
// Points i and j are neighbours when ((dx dx + dy dy) + dz dz) <= r r, computed in the points' precision
// without fused operations: what a plain loop over all pairs finds, no more, no less.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"
#include "winnow/points.hpp"

namespace winnow {

enum class NeighbourLists {
  full,  // i lists j and j lists i
  half,  // each pair in exactly one of its two rows
};

enum class RowOrder {
  caller,  // row i is the caller's point i
  sorted,  // rows in the order of the search, which lies well in memory: row k is point row_ids[k]; the
           // fastest
};

// When points have radii of their own, i and j are neighbours within...
enum class RadiusRule { larger, smaller, sum };

enum class NeighbourMethod {
  automatic,          // sorted cells and vectors: ours
  hierarchical_hash,  // while inserting, by the scheme of Pouchol et al. 2009 (Listing 3)
};

template <int Dim>
struct NeighbourOptions {
  NeighbourLists lists = NeighbourLists::full;
  RowOrder rows = RowOrder::caller;
  bool distances = false;            // also the squared distances, in the points' precision
  std::array<double, Dim> period{};  // length of the box along each periodic axis; 0: not periodic there
  NeighbourMethod method = NeighbourMethod::automatic;
};

// Compressed rows: the neighbours of row k are ids[offsets[k]] .. ids[offsets[k + 1] - 1].
template <int Dim, class Real = float>
struct Neighbours {
  Buffer<std::uint64_t> offsets;   // rows + 1
  Buffer<std::uint32_t> ids;       // the caller's numbers
  Buffer<Real> squared_distances;  // if asked for, beside ids
  Buffer<ImageShift<Dim>> shifts;  // if any axis is periodic, beside ids
  Buffer<std::uint32_t> row_ids;   // if rows are sorted: which point each row is

  std::size_t rows() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t k) const {
    return {ids.data() + offsets[k], ids.data() + offsets[k + 1]};
  }
};

// Keeps its room from step to step: use one object for a simulation. Lists passed in keep theirs too.
template <int Dim, class Real = float>
class NeighbourSearch {
 public:
  NeighbourSearch();
  ~NeighbourSearch();
  NeighbourSearch(NeighbourSearch&&) noexcept;
  NeighbourSearch& operator=(NeighbourSearch&&) noexcept;

  // Neighbours among the points themselves; a point is not its own neighbour (its periodic images may be).
  void find(PointsView<Dim, Real> points, Real radius, const NeighbourOptions<Dim>& options,
            Executor& executor, Neighbours<Dim, Real>& lists);

  // For each point of `queries`, those of `points` near it. Lists are full; rows are the queries.
  void find_between(PointsView<Dim, Real> queries, PointsView<Dim, Real> points, Real radius,
                    const NeighbourOptions<Dim>& options, Executor& executor, Neighbours<Dim, Real>& lists);

  // Each point with a radius of its own.
  void find_with_radii(PointsView<Dim, Real> points, std::span<const Real> radii, RadiusRule rule,
                       const NeighbourOptions<Dim>& options, Executor& executor,
                       Neighbours<Dim, Real>& lists);

  std::size_t memory_bytes() const;  // beside the lists

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The one-line use, on `threads` threads (0: all there are).
template <int Dim, class Real>
Neighbours<Dim, Real> neighbours(PointsView<Dim, Real> points, Real radius,
                                 const NeighbourOptions<Dim>& options = {}, std::size_t threads = 1);
template <int Dim, class Real>
Neighbours<Dim, Real> neighbours(const std::vector<Point<Dim, Real>>& points, Real radius,
                                 const NeighbourOptions<Dim>& options = {}, std::size_t threads = 1) {
  return neighbours<Dim, Real>(PointsView<Dim, Real>(points), radius, options, threads);
}

// Lists that stay valid while nothing has moved far (Verlet): made with radius + skin, and made anew when
// some point has moved more than half the skin since. They hold all pairs within the radius, and some a
// little farther.
template <int Dim, class Real = float>
class VerletLists {
 public:
  VerletLists(Real radius, Real skin, const NeighbourOptions<Dim>& options = {});

  // True if the lists were made anew.
  bool update(PointsView<Dim, Real> points, Executor& executor);
  const Neighbours<Dim, Real>& lists() const { return lists_; }

 private:
  bool moved_too_far(PointsView<Dim, Real> points, Executor& executor) const;

  Real radius_, skin_;
  NeighbourOptions<Dim> options_;
  NeighbourSearch<Dim, Real> search_;
  Neighbours<Dim, Real> lists_;
  std::vector<Point<Dim, Real>> made_at_;
};

// The order of points along a Z-curve, in cells of the given size: arrays in this order lie well in memory
// for whoever works on neighbours. order[k] is the caller's number of the k-th point.
template <int Dim, class Real>
std::vector<std::uint32_t> z_order(PointsView<Dim, Real> points, Real cell, Executor& executor);

}  // namespace winnow
