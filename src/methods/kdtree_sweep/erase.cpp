// Erase (Figure 6d): the node and its less populated branch go; the other branch takes its place and all its
// objects, and is visited next.
#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {

template <int Dim>
void KdTree<Dim>::erase(Visit& visit) {
  const NodeT node = nodes_[visit.node];
  const bool keep_left = nodes_[node.left].population() >= nodes_[node.right].population();
  const NodeIndex kept = keep_left ? node.left : node.right;

  NodeT& heir = nodes_[kept];
  heir.region = node.region;
  heir.parent = node.parent;
  heir.begin = heir.block_begin = node.begin;
  heir.end = heir.block_end = node.end;
  heir.pulled_up = true;
  heir.accepted_cost = 0;
  visit.heir = kept;

  // What is dropped is released whole; the node itself no longer has children.
  nodes_[visit.node].axis = NodeT::kLeaf;
  visit.dropped = {keep_left ? node.right : node.left, visit.node};
  visit.next = {kept, kNoNode};
  visit.changed = true;
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
