// §3.2, last paragraph: an object enters at the end of the array, in the rightmost node, and the next refit
// takes it to where it belongs. Objects that leave are left out when the refit puts the others in order.
#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {

template <int Dim>
void KdTree<Dim>::clear() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  nodes_.clear();
  free_nodes_.clear();
  objects_.clear();
  root_ = new_node();
  nodes_[root_].region.lo.fill(-infinity);
  nodes_[root_].region.hi.fill(infinity);
  list_nodes();
}

template <int Dim>
void KdTree<Dim>::insert(std::size_t count) {
  const std::size_t old = objects_.size();
  if (count <= old) return;
  objects_.resize(count);
  for (std::size_t i = old; i < count; ++i) {
    objects_[i] = {};
    objects_[i].id = static_cast<std::uint32_t>(i);
  }
  nodes_[in_order_.back()].block_end = static_cast<std::uint32_t>(count);
  for (NodeIndex node = in_order_.back(); node != kNoNode; node = nodes_[node].parent)
    nodes_[node].end = static_cast<std::uint32_t>(count);
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
