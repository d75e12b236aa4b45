// nanoflann as its examples use it: a static tree of float points with the dimension known to the compiler,
// and a result set of our own (its manual's way to spare copies) that writes ids straight into the lists.
#include "bench/peers/nanoflann.hpp"

#include <cmath>
#include <limits>
#include <nanoflann.hpp>

namespace winnow::bench {
namespace {

struct Cloud {
  std::span<const Point<3>> points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i][axis]; }
  template <class Bounds>
  bool kdtree_get_bbox(Bounds&) const {
    return false;  // it finds them itself
  }
};
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3, std::uint32_t>;

// nanoflann keeps what is nearer than the radius, we also what is just as far: the next float above r r.
class Row {
 public:
  Row(std::uint32_t self, float square, std::vector<std::uint32_t>& ids)
      : self_(self), limit_(std::nextafter(square, std::numeric_limits<float>::infinity())), ids_(ids) {}
  std::size_t size() const { return ids_.size(); }
  bool full() const { return true; }
  float worstDist() const { return limit_; }
  bool addPoint(float square, std::uint32_t id) {
    if (square < limit_ && id != self_) ids_.push_back(id);
    return true;
  }

 private:
  std::uint32_t self_;
  float limit_;
  std::vector<std::uint32_t>& ids_;
};

}  // namespace

void nanoflann_neighbours(std::span<const Point<3>> points, float radius, PlainLists& lists) {
  const Cloud cloud{points};
  const Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  lists.offsets.assign(1, 0);
  lists.ids.clear();
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    Row row(i, radius * radius, lists.ids);
    tree.findNeighbors(row, points[i].data(), nanoflann::SearchParams());
    lists.offsets.push_back(lists.ids.size());
  }
}

std::string nanoflann_version() {
  return "nanoflann " + std::to_string(NANOFLANN_VERSION >> 8) + "." +
         std::to_string(NANOFLANN_VERSION >> 4 & 15) + "." + std::to_string(NANOFLANN_VERSION & 15) + ", BSD";
}

}  // namespace winnow::bench
