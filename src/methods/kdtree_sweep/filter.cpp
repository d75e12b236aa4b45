// Filter (Figure 6a): the objects of a node that lie on one side of its plane go down to that side's child,
// and the children learn their regions and ranges. As refit has taken every object as far down as the planes
// allow, only a node whose subtree was pulled up has objects to be filtered; they then are one range, and
// there is nothing in between to be shifted.
#include <cstring>

#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {
namespace {

// Three-way partition of [begin, end) by way of the same range of `scratch`. Each object is written to its
// side's end whatever the side is: no branch to mispredict.
template <int Dim>
std::array<std::uint32_t, 2> partition_range(Object<Dim>* begin, Object<Dim>* end, Object<Dim>* scratch,
                                             int axis, float plane) {
  std::array<std::size_t, 3> count{};
  for (const Object<Dim>* object = begin; object != end; ++object)
    ++count[static_cast<std::size_t>(side_of(object->box, axis, plane))];
  std::array<Object<Dim>*, 3> out{scratch, scratch + count[0], scratch + count[0] + count[1]};
  for (const Object<Dim>* object = begin; object != end; ++object)
    *out[static_cast<std::size_t>(side_of(object->box, axis, plane))]++ = *object;
  std::memcpy(static_cast<void*>(begin), scratch,
              static_cast<std::size_t>(end - begin) * sizeof(Object<Dim>));
  return {static_cast<std::uint32_t>(count[0]), static_cast<std::uint32_t>(count[1])};
}

}  // namespace

template <int Dim>
void KdTree<Dim>::filter(NodeIndex index) {
  NodeT& node = nodes_[index];
  NodeT& left = nodes_[node.left];
  NodeT& right = nodes_[node.right];
  left.region = right.region = node.region;
  left.region.hi[node.axis] = right.region.lo[node.axis] = node.plane;
  if (!node.pulled_up) return;

  const auto [lefts, across] = partition_range(objects_.data() + node.begin, objects_.data() + node.end,
                                               other_.data() + node.begin, node.axis, node.plane);
  node.pulled_up = false;
  node.block_begin = node.begin + lefts;
  node.block_end = node.block_begin + across;
  left.begin = left.block_begin = node.begin;
  left.end = left.block_end = node.block_begin;
  right.begin = right.block_begin = node.block_end;
  right.end = right.block_end = node.end;
  left.pulled_up = right.pulled_up = true;
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
