// Translate (Figure 6c): a plane that does not divide well any more goes to the mean of the subtree's
// objects. All of them are pulled up to the node, which moves none, and filtered down again.
#include "methods/kdtree_sweep/kd_tree.hpp"
#include "methods/kdtree_sweep/moments.hpp"

namespace winnow::kdtree_sweep {

template <int Dim>
void KdTree<Dim>::translate(NodeIndex index) {
  NodeT& node = nodes_[index];
  node.pulled_up = true;
  node.reshaped = updates_;
  node.accepted_cost = 0;
  node.plane = moments_of(objects_.data() + node.begin, objects_.data() + node.end).mean(node.axis);
  filter(index);
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
