// CGAL (GPL): neighbours by Delaunay triangulation, the comparison of Poirrier 2009. The boxes' centres are
// triangulated in CGAL's fastest way (exact predicates, points in spatial order, each found from the last).
// From each centre the triangulation's edges are walked while the ends stay within reach: the greedy path
// from any centre in a ball to the ball's middle stays in the ball, so no overlapping box is missed.
#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Spatial_sort_traits_adapter_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>
#include <CGAL/property_map.h>
#include <CGAL/spatial_sort.h>
#include <CGAL/version.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bench/contender.hpp"

namespace winnow::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Site {
  std::uint32_t first = kNone;    // an object with this centre; the others follow by next_[]
  std::uint32_t visited = kNone;  // by the walk from this object
};
using VertexBase = CGAL::Triangulation_vertex_base_with_info_3<Site, Kernel>;
using Structure =
    CGAL::Triangulation_data_structure_3<VertexBase, CGAL::Delaunay_triangulation_cell_base_3<Kernel>>;
using Delaunay = CGAL::Delaunay_triangulation_3<Kernel, Structure>;
using Vertex = Delaunay::Vertex_handle;

class DelaunayPeer final : public Contender {
 public:
  void update(std::span<const Box3> boxes) override {
    boxes_ = boxes;
    centres_.clear();
    half_.clear();
    max_half_ = 0;
    for (const Box3& box : boxes) {
      double middle[3], square = 0;
      for (int axis = 0; axis < 3; ++axis) {
        middle[axis] = (double{box.lo[axis]} + box.hi[axis]) / 2;
        const double half = (double{box.hi[axis]} - box.lo[axis]) / 2;
        square += half * half;
      }
      centres_.emplace_back(middle[0], middle[1], middle[2]);
      half_.push_back(std::sqrt(square));
      max_half_ = std::max(max_half_, half_.back());
    }
    triangulate();
  }

  void find_pairs(PairSink& pairs) override {
    pairs.open(1);
    candidates_ = 0;
    if (delaunay_.dimension() < 3)
      all_pairs(pairs.writer(0));
    else
      for (std::uint32_t i = 0; i < boxes_.size(); ++i) walk_from(i, pairs.writer(0));
    pairs.close();
  }

  std::uint64_t candidates() const override { return candidates_; }

 private:
  void triangulate() {
    delaunay_.clear();
    std::vector<std::size_t> order(centres_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto points = CGAL::make_property_map(centres_);
    CGAL::spatial_sort(order.begin(), order.end(),
                       CGAL::Spatial_sort_traits_adapter_3<Kernel, decltype(points)>(points));
    vertices_.resize(centres_.size());
    next_.assign(centres_.size(), kNone);
    Delaunay::Cell_handle near;
    for (const std::size_t i : order) {
      const Vertex vertex = delaunay_.insert(centres_[i], near);
      near = vertex->cell();
      next_[i] = vertex->info().first;
      vertex->info() = {static_cast<std::uint32_t>(i), kNone};
      vertices_[i] = vertex;
    }
  }

  // Boxes meet only if their centres are no further apart than their half diagonals together; a little more
  // makes up for rounding.
  void walk_from(std::uint32_t i, PairWriter& writer) {
    const double reach = (half_[i] + max_half_) * (1 + 1e-9);
    stack_.assign(1, vertices_[i]);
    vertices_[i]->info().visited = i;
    while (!stack_.empty()) {
      const Vertex vertex = stack_.back();
      stack_.pop_back();
      for (std::uint32_t j = vertex->info().first; j != kNone; j = next_[j])
        if (i < j) test(i, j, writer);
      around_.clear();
      delaunay_.finite_adjacent_vertices(vertex, std::back_inserter(around_));
      for (const Vertex other : around_) {
        if (other->info().visited == i) continue;
        other->info().visited = i;
        if (CGAL::squared_distance(other->point(), centres_[i]) <= reach * reach) stack_.push_back(other);
      }
    }
  }

  // Centres in one plane have no triangulation in space.
  void all_pairs(PairWriter& writer) {
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
      for (std::uint32_t j = i + 1; j < boxes_.size(); ++j) test(i, j, writer);
  }

  void test(std::uint32_t i, std::uint32_t j, PairWriter& writer) {
    ++candidates_;
    if (overlaps(boxes_[i], boxes_[j])) writer.write({i, j});
  }

  std::span<const Box3> boxes_;
  std::vector<Point> centres_;
  std::vector<double> half_;
  double max_half_ = 0;
  Delaunay delaunay_;
  std::vector<Vertex> vertices_, stack_, around_;
  std::vector<std::uint32_t> next_;
  std::uint64_t candidates_ = 0;
};

const Peer delaunay({.name = "cgal_delaunay",
                     .summary = "CGAL::Delaunay_triangulation_3 of the centres, as in Poirrier's comparison",
                     .source = "CGAL " CGAL_STR(CGAL_VERSION) ", GPL",
                     .max_objects = 200000},
                    [](std::size_t) { return std::make_unique<DelaunayPeer>(); });

}  // namespace
}  // namespace winnow::bench
