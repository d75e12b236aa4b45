// Boost.Geometry: an R-tree packed anew every frame (its constructor from a range, the fastest build), asked
// for each of its boxes in the tree's own order, so that one query finds what the last one left in the cache.
#include <boost/geometry/core/cs.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>

#include <optional>
#include <string>

#include "bench/contender.hpp"

namespace winnow::bench {
namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<float, 3, bg::cs::cartesian>;
using Value = std::pair<bg::model::box<Point>, std::uint32_t>;
using Tree = bg::index::rtree<Value, bg::index::quadratic<16>>;

class BoostRtree final : public Contender {
 public:
  void update(std::span<const Box3> boxes) override {
    values_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto& [lo, hi] = boxes[i];
      values_.push_back(
          {{Point(lo[0], lo[1], lo[2]), Point(hi[0], hi[1], hi[2])}, static_cast<std::uint32_t>(i)});
    }
    tree_.emplace(values_);
  }

  void find_pairs(PairSink& pairs) override {
    pairs.open(1);
    PairWriter& writer = pairs.writer(0);
    for (const Value& value : *tree_)
      tree_->query(bg::index::intersects(value.first),
                   boost::make_function_output_iterator([&](const Value& found) {
                     if (value.second < found.second) writer.write({value.second, found.second});
                   }));
    pairs.close();
  }

 private:
  std::vector<Value> values_;
  std::optional<Tree> tree_;
};

const Peer rtree({.name = "boost_rtree",
                  .summary = "boost::geometry::index::rtree, packed every frame, one query an object",
                  .source = "Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
                            std::to_string(BOOST_VERSION / 100 % 1000) + ", BSL-1.0"},
                 [](std::size_t) { return std::make_unique<BoostRtree>(); });

}  // namespace
}  // namespace winnow::bench
