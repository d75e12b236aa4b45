// Partition (Figure 6b): a crowded leaf gets a plane and two children. The plane goes to the mean of the axis
// of greatest variance. Differs: where Evaluate would not like that plane (outliers pull means away from the
// crowd) the medians of all axes are tried as well, and a leaf for which no plane helps stays one: the
// paper's program makes a node that the next update erases again, ours would not come to rest.
#include <algorithm>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "methods/kdtree_sweep/moments.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kSamples = 255;

// About the middle one of the lower bounds. A bound rather than a centre: boxes in layers are then not cut.
template <int Dim>
float median_bound(const Object<Dim>* objects, std::size_t count, int axis) {
  std::array<float, kSamples> bounds;
  const std::size_t samples = std::min(count, kSamples);
  for (std::size_t k = 0; k < samples; ++k) bounds[k] = objects[k * count / samples].box.lo[axis];
  std::nth_element(bounds.begin(), bounds.begin() + samples / 2, bounds.begin() + samples);
  return bounds[samples / 2];
}

}  // namespace

template <int Dim>
bool KdTree<Dim>::find_split(const NodeT& node, Split& best) const {
  const ObjectT* begin = objects_.data() + node.begin;
  const ObjectT* end = objects_.data() + node.end;
  const auto try_plane = [&](int axis, float plane) {
    std::array<std::uint32_t, 3> count{};
    for (const ObjectT* object = begin; object != end; ++object)
      ++count[static_cast<std::size_t>(side_of(object->box, axis, plane))];
    const double cost = split_cost(count[1], count[0], count[2]);
    if (cost < best.cost) best = {axis, plane, cost, cost <= split_balance(count[1], count[0], count[2])};
  };
  best = {0, 0, kWorstCost, false};
  const Moments<Dim> moments = moments_of(begin, end);
  const int widest = moments.widest_axis();
  if (!(moments.spread(widest) > 0)) return false;
  try_plane(widest, moments.mean(widest));
  if (best.good) return true;
  for (int axis = 0; axis < Dim; ++axis) try_plane(axis, median_bound(begin, node.population(), axis));
  return best.cost < kWorstCost;
}

template <int Dim>
void KdTree<Dim>::partition(Visit& visit) {
  NodeT& node = nodes_[visit.node];
  Split split;
  if (!find_split(node, split)) return;
  node.axis = split.axis;
  node.plane = split.plane;
  // Some room, so that a little motion does not make a plane bad that was the best to be had.
  node.accepted_cost = split.good ? 0 : std::min(1.1 * split.cost, (1 + kWorstCost) / 2);
  node.left = visit.spare[0];
  node.right = visit.spare[1];
  nodes_[node.left].parent = nodes_[node.right].parent = visit.node;
  visit.next = visit.spare;
  visit.spare = {kNoNode, kNoNode};
  visit.changed = true;
  node.pulled_up = true;
  node.reshaped = updates_;
  filter(visit.node);
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
