// Collapse (Figure 6b): a subtree with too few objects becomes a leaf. Its objects are one range already.
#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {

template <int Dim>
void KdTree<Dim>::collapse(Visit& visit) {
  NodeT& node = nodes_[visit.node];
  visit.dropped = {node.left, node.right};
  visit.changed = true;
  node.axis = NodeT::kLeaf;
  node.left = node.right = kNoNode;
  node.pulled_up = false;
  node.reshaped = updates_;
  node.block_begin = node.begin;
  node.block_end = node.end;
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
