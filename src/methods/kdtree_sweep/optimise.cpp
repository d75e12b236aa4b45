// Optimise: the top-down pass of §3.2 and its flow chart (Figure 7). Differs: nodes are visited level by
// level instead of by a stack, as those of one level are independent and can be visited at the same time.
#include <algorithm>

#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kLeastShared =
    4096;  // objects in the nodes of a level; fewer are not worth waking threads

}  // namespace

template <int Dim>
void KdTree<Dim>::update(const Frame<Dim>& frame, Executor& executor) {
  ++updates_;
  insert(frame.boxes.size());
  if (refit(frame, executor)) optimise(executor);
}

template <int Dim>
void KdTree<Dim>::optimise(Executor& executor) {
  const std::uint64_t changes = changes_;
  other_.resize_for_overwrite(objects_.size());
  visits_.assign(1, Visit{.node = root_});
  while (!visits_.empty()) {
    // Nodes for children are had beforehand, so that visits at the same time share nothing that grows.
    std::size_t work = 0;
    for (Visit& visit : visits_) {
      const NodeT& node = nodes_[visit.node];
      const bool splits = node.is_leaf() && node.population() > capacity_;
      if (splits || node.pulled_up) work += node.population();
      if (splits) visit.spare = {new_node(), new_node()};
    }
    const std::size_t grain = work < kLeastShared ? visits_.size() : 1;
    parallel_for(executor, visits_.size(), grain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) visit(visits_[i]);
    });
    next_visits_.clear();
    for (const Visit& visit : visits_) finish(visit);
    visits_.swap(next_visits_);
  }
  if (changes_ != changes) list_nodes();
}

template <int Dim>
void KdTree<Dim>::visit(Visit& visit) {
  const NodeIndex index = visit.node;
  NodeT& node = nodes_[index];
  if (node.pulled_up) node.reshaped = updates_;
  if (node.is_leaf()) {
    node.pulled_up = false;
    if (node.population() > capacity_) partition(visit);
    return;
  }
  if (node.population() < capacity_) return collapse(visit);
  filter(index);
  if (!evaluate(node)) {
    visit.changed = true;
    translate(index);
    if (!evaluate(node)) return erase(visit);
  }
  visit.next = {node.left, node.right};
}

// What visits at the same time must not do: change what two of them share.
template <int Dim>
void KdTree<Dim>::finish(const Visit& visit) {
  if (visit.heir != kNoNode) {
    const NodeIndex parent = nodes_[visit.heir].parent;
    NodeIndex& link = parent == kNoNode                   ? root_
                      : nodes_[parent].left == visit.node ? nodes_[parent].left
                                                          : nodes_[parent].right;
    link = visit.heir;
  }
  for (const NodeIndex next : visit.next)
    if (next != kNoNode) next_visits_.push_back(Visit{.node = next});
  for (const NodeIndex spare : visit.spare)
    if (spare != kNoNode) release(spare);
  for (const NodeIndex dropped : visit.dropped)
    if (dropped != kNoNode) release(dropped);
  changes_ += visit.changed;
}

template <int Dim>
NodeIndex KdTree<Dim>::new_node() {
  if (free_nodes_.empty()) {
    nodes_.emplace_back();
    return static_cast<NodeIndex>(nodes_.size() - 1);
  }
  const NodeIndex index = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[index] = NodeT{};
  return index;
}

template <int Dim>
void KdTree<Dim>::release(NodeIndex subtree) {
  std::vector<NodeIndex> open{subtree};
  while (!open.empty()) {
    const NodeIndex index = open.back();
    open.pop_back();
    if (!nodes_[index].is_leaf()) {
      open.push_back(nodes_[index].left);
      open.push_back(nodes_[index].right);
    }
    free_nodes_.push_back(index);
  }
}

template <int Dim>
std::size_t KdTree<Dim>::memory_bytes() const {
  std::size_t bytes = objects_.memory_bytes() + other_.memory_bytes() + nodes_.capacity() * sizeof(NodeT) +
                      (free_nodes_.capacity() + in_order_.capacity() + top_down_.capacity() +
                       arrivals_.capacity() + arrivals_begin_.capacity()) *
                          sizeof(std::uint32_t) +
                      (visits_.capacity() + next_visits_.capacity()) * sizeof(Visit);
  for (const Chunk& chunk : chunks_)
    bytes += sizeof(Chunk) + chunk.leaving.capacity() * sizeof(std::uint32_t);
  return bytes;
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
