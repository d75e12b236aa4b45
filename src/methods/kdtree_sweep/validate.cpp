// The tree's invariants, checked one by one, for tests; and its shape, for figures.
#include <algorithm>
#include <sstream>

#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {
namespace {

// Collects the first complaint.
class Complaint {
 public:
  template <class... Parts>
  void unless(bool holds, const Parts&... parts) {
    if (holds || !text_.empty()) return;
    std::ostringstream text;
    (text << ... << parts);
    text_ = text.str();
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

template <int Dim>
std::string KdTree<Dim>::validate() const {
  Complaint complaint;
  complaint.unless(nodes_[root_].parent == kNoNode, "the root has a parent");
  complaint.unless(nodes_[root_].begin == 0 && nodes_[root_].end == objects_.size(),
                   "the root's range is not all objects");
  complaint.unless(in_order_.size() + free_nodes_.size() == nodes_.size(), "nodes are lost");

  std::vector<bool> seen(objects_.size(), false);
  std::uint32_t slot = 0;
  for (const NodeIndex index : in_order_) {
    const NodeT& node = nodes_[index];
    complaint.unless(node.block_begin == slot, "node ", index, ": its block begins at ", node.block_begin,
                     " and the one before it ends at ", slot);
    complaint.unless(!node.pulled_up, "node ", index, ": its objects were never filtered");
    for (slot = node.block_begin; slot < node.block_end; ++slot) {
      const ObjectT& object = objects_[slot];
      complaint.unless(object.id < objects_.size() && !seen[object.id], "object ", object.id,
                       ": unknown, or there twice");
      if (object.id < objects_.size()) seen[object.id] = true;
      complaint.unless(inside(object.box, node.region), "object ", object.id, ": outside of node ", index);
      complaint.unless(node.is_leaf() || side_of(object.box, node.axis, node.plane) == Side::across,
                       "object ", object.id, ": not on the plane of node ", index);
    }
    if (node.is_leaf()) {
      complaint.unless(node.begin == node.block_begin && node.end == node.block_end, "leaf ", index,
                       ": its range is not its block");
      continue;
    }
    const NodeT& left = nodes_[node.left];
    const NodeT& right = nodes_[node.right];
    complaint.unless(left.parent == index && right.parent == index, "node ", index,
                     ": its children have another parent");
    complaint.unless(node.begin == left.begin && left.end == node.block_begin &&
                         node.block_end == right.begin && right.end == node.end,
                     "node ", index, ": ranges of node and children do not join");
    complaint.unless(node.population() >= capacity_, "node ", index, ": has ", node.population(),
                     " objects and is no leaf");
    Box<Dim> left_region = node.region, right_region = node.region;
    left_region.hi[node.axis] = right_region.lo[node.axis] = node.plane;
    complaint.unless(left.region == left_region && right.region == right_region, "node ", index,
                     ": its children's regions are not what its plane leaves");
    complaint.unless(evaluate(node), "node ", index, ": its plane is a bad one");
  }
  complaint.unless(slot == objects_.size(), "the last block ends at ", slot, " of ", objects_.size());
  return complaint.text();
}

template <int Dim>
TreeShape KdTree<Dim>::shape() const {
  TreeShape shape;
  std::vector<std::size_t> depth(nodes_.size(), 0);
  double leaves = 0, in_leaves = 0;
  for (const NodeIndex index : top_down_) {
    const NodeT& node = nodes_[index];
    if (node.parent != kNoNode) depth[index] = depth[node.parent] + 1;
    if (!node.is_leaf()) continue;
    shape.height = std::max(shape.height, depth[index]);
    shape.mean_leaf_depth += static_cast<double>(depth[index]);
    ++leaves;
    in_leaves += node.population();
  }
  shape.mean_leaf_depth /= leaves;
  if (!objects_.empty()) shape.share_in_leaves = in_leaves / static_cast<double>(objects_.size());
  return shape;
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
