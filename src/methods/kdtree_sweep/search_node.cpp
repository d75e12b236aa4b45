// One node: its objects are paired with one another (internal pairs) and with those from above that reach
// into it (external pairs), §3.1; both by a sweep along the axis of greatest variance of the node's objects,
// §3.3. Differs: the objects are sorted into columns once for a node, not gathered pair by pair, and what
// does not reach the box around the node's own objects is left out before it is sorted.
#include "methods/kdtree_sweep/search_node.hpp"

#include <algorithm>

#include "methods/kdtree_sweep/externals.hpp"
#include "methods/kdtree_sweep/moments.hpp"
#include "methods/kdtree_sweep/prefetch.hpp"
#include "simd/overlap.hpp"

namespace winnow::kdtree_sweep {
namespace {

// Up to so many moved objects are compared with all of a node: cheaper than to sort these.
constexpr std::size_t kFewMoved = 64;

constexpr std::size_t kSampledPairs = 64;
constexpr std::size_t kAhead = 24;  // objects whose boxes are on their way

template <int Dim>
std::span<const Object<Dim>> as_span(const Buffer<Object<Dim>>& objects) {
  return {objects.data(), objects.size()};
}

template <int Dim>
void extend(Box<Dim>& bounds, const Box<Dim>& box) {
  for (int axis = 0; axis < Dim; ++axis) {
    bounds.lo[axis] = std::min(bounds.lo[axis], box.lo[axis]);
    bounds.hi[axis] = std::max(bounds.hi[axis], box.hi[axis]);
  }
}

template <int Dim>
Box<Dim> bounds_of(std::span<const Object<Dim>> objects) {
  Box<Dim> bounds = objects.front().box;
  for (const Object<Dim>& object : objects) extend(bounds, object.box);
  return bounds;
}

template <int Dim>
void append_near(std::span<const Object<Dim>> objects, const Box<Dim>& bounds, Buffer<Object<Dim>>& to) {
  append_if(objects, to, [&](const Object<Dim>& object) { return overlaps(object.box, bounds); });
}

// How many of some pairs, taken at random but always the same, overlap on each axis.
template <int Dim>
std::array<int, Dim> sampled_overlaps(std::span<const Object<Dim>> objects) {
  std::array<int, Dim> overlapping{};
  std::uint32_t state = 1;
  const auto any_box = [&]() -> const Box<Dim>& {
    state = state * 1664525u + 1013904223u;
    return objects[static_cast<std::size_t>(std::uint64_t{state} * objects.size() >> 32)].box;
  };
  for (std::size_t k = 0; k < kSampledPairs; ++k) {
    const Box<Dim>& a = any_box();
    const Box<Dim>& b = any_box();
    for (int axis = 0; axis < Dim; ++axis)
      overlapping[axis] += (a.lo[axis] <= b.hi[axis]) & (b.lo[axis] <= a.hi[axis]);
  }
  return overlapping;
}

// The axis of greatest variance, unless a sample shows half as many overlaps along another: a few objects
// high above a pile make its height the axis of greatest variance and the worst to sweep along.
template <int Dim>
int sweep_axis(std::span<const Object<Dim>> objects) {
  const int widest = moments_of(objects.data(), objects.data() + objects.size()).widest_axis();
  if (objects.size() < kSampledPairs) return widest;
  const std::array<int, Dim> overlaps = sampled_overlaps(objects);
  const int fewest = static_cast<int>(std::ranges::min_element(overlaps) - overlaps.begin());
  return 2 * overlaps[fewest] < overlaps[widest] ? fewest : widest;
}

}  // namespace

template <int Dim>
void NodeSearch<Dim>::start(const KdTree<Dim>& tree, const std::vector<NodePlan>& plans,
                            std::vector<NodePairs<Dim>>& memory, const MotionTracker<Dim>* rest,
                            PairWriter& writer) {
  tree_ = &tree;
  plans_ = &plans;
  memory_ = &memory;
  recall_.rest = rest;
  recall_.writer = &writer;
  tested_ = 0;
}

template <int Dim>
void NodeSearch<Dim>::subtree(NodeIndex index, Objects externals) {
  externals_.clear();
  append(externals, externals_);
  open_.clear();
  std::size_t begin = 0;
  for (;;) {
    // Here the externals of `index` are the top of the stack, from `begin` on.
    const Node<Dim>& current = tree_->node(index);
    node(index, {externals_.data() + begin, externals_.size() - begin});
    if (!current.is_leaf()) {
      if (!(*plans_)[index].quiet) append(tree_->block(current), externals_);
      open_.push_back({current.right, begin, externals_.size()});
      open_.push_back({current.left, begin, externals_.size()});
    }
    if (open_.empty()) return;
    const Open next = open_.back();
    open_.pop_back();
    const Node<Dim>& parent = tree_->node(tree_->node(next.node).parent);
    externals_.resize(next.externals_end);
    append_childs(parent, next.node == parent.left, (*plans_)[next.node].quiet, next.externals_begin,
                  next.externals_end, externals_);
    index = next.node;
    begin = next.externals_end;
  }
}

template <int Dim>
void NodeSearch<Dim>::node(NodeIndex index, Objects externals) {
  const Node<Dim>& node = tree_->node(index);
  if (node.block_begin == node.block_end) return;
  const Way way = (*plans_)[index].way;
  if (way == Way::search) return search(node, externals);
  NodePairs<Dim>& pairs = (*memory_)[index];
  found_.open(1);
  if (way == Way::mend) {
    pairs.recall(recall_);
    if (recall_.rest->moved() != 0) find_moved(node, externals);
  } else {
    pairs.forget();
    if (way == Way::live) return search_live(node, externals);
    learn(node, externals);
  }
  if (found_.size() != 0) pairs.remember(found_.part(0), near_.data(), recall_);
  pairs.complete(tree_->updates());
}

template <int Dim>
void NodeSearch<Dim>::search(const Node<Dim>& node, Objects externals) {
  const Objects block = tree_->block(node);
  near_.clear();
  if (!externals.empty()) append_near(externals, bounds_of(block), near_);
  pair_all(block, as_span(near_), Labels::ids, *recall_.writer);
}

// The boxes themselves take the places of the hulls.
template <int Dim>
void NodeSearch<Dim>::search_live(const Node<Dim>& node, Objects externals) {
  gather(node, externals);
  const Box<Dim>* boxes = recall_.rest->boxes();
  for (std::size_t i = 0; i < near_.size(); ++i) {
    if (i + kAhead < near_.size()) prefetch(boxes + near_[i + kAhead].id);
    near_[i].box = boxes[near_[i].id];
  }
  const std::size_t own = node.block_end - node.block_begin;
  pair_all(as_span(near_).first(own), as_span(near_).subspan(own), Labels::ids, *recall_.writer);
}

template <int Dim>
void NodeSearch<Dim>::learn(const Node<Dim>& node, Objects externals) {
  gather(node, externals);
  const std::size_t own = node.block_end - node.block_begin;
  pair_all(as_span(near_).first(own), as_span(near_).subspan(own), Labels::places, found_.writer(0));
}

// The node's objects and the externals that reach the box around them.
template <int Dim>
void NodeSearch<Dim>::gather(const Node<Dim>& node, Objects externals) {
  const Objects block = tree_->block(node);
  near_.clear();
  append(block, near_);
  if (!externals.empty()) append_near(externals, bounds_of(block), near_);
}

template <int Dim>
void NodeSearch<Dim>::pair_all(Objects block, Objects externals, Labels labels, PairWriter& writer) {
  if (!sweep_) {
    inner_.assign_unsorted(block, labels);
    const std::uint32_t* label = inner_.run().ids;
    for (std::size_t i = 0; i < block.size(); ++i) test(block[i].box, label[i], i + 1, block.size(), writer);
    for (std::size_t i = 0; i < externals.size(); ++i)
      test(externals[i].box, labels == Labels::ids ? externals[i].id : block.size() + i, 0, block.size(),
           writer);
    return;
  }
  const int axis = sweep_axis(block);
  inner_.assign(block, axis, labels, 0);
  const SortedRun<Dim> run = inner_.run();
  tested_ += sweep_run(run, run.end, writer);
  if (externals.empty()) return;
  outer_.assign(externals, axis, labels, block.size());
  tested_ += sweep_between(inner_, outer_, writer);
}

// Moved objects of the node with all of it and with all externals, moved externals with all of the node.
template <int Dim>
void NodeSearch<Dim>::find_moved(const Node<Dim>& node, Objects externals) {
  const auto has_moved = [](const Object<Dim>& object) { return object.moved != 0; };
  const Objects block = tree_->block(node);
  near_.clear();
  append_if(block, near_, has_moved);
  const std::size_t own_moved = near_.size();
  append_if(externals, near_, has_moved);
  const std::size_t moved = near_.size();
  if (moved == 0) return;

  // What rests, near to what has moved: of the externals only near to the node's own.
  const Box<Dim> bounds = bounds_of(as_span(near_));
  append_if(block, near_,
            [&](const Object<Dim>& object) { return !object.moved & overlaps(object.box, bounds); });
  const std::size_t inner = near_.size();
  if (own_moved != 0) {
    const Box<Dim> own_bounds = bounds_of(as_span(near_).first(own_moved));
    append_if(externals, near_,
              [&](const Object<Dim>& object) { return !object.moved & overlaps(object.box, own_bounds); });
  }
  pair_moved(own_moved, moved, inner);
}

// near_ is | own that moved | externals that moved | own that rest | externals that rest |, ...
template <int Dim>
void NodeSearch<Dim>::pair_moved(std::size_t own_moved, std::size_t moved, std::size_t inner) {
  PairWriter& writer = found_.writer(0);
  const Objects near = as_span(near_);
  if (moved <= kFewMoved || !sweep_) {
    inner_.assign_unsorted(near, Labels::places);
    for (std::size_t i = 0; i < own_moved; ++i)
      test(near[i].box, static_cast<std::uint32_t>(i), i + 1, near.size(), writer);
    for (std::size_t i = own_moved; i < moved; ++i)
      test(near[i].box, static_cast<std::uint32_t>(i), moved, inner, writer);
    return;
  }
  const int axis = sweep_axis(near);
  inner_.assign(near.first(own_moved), axis, Labels::places, 0);
  tested_ += sweep_run(inner_.run(), inner_.size(), writer);
  outer_.assign(near.subspan(own_moved), axis, Labels::places, own_moved);
  tested_ += sweep_between(inner_, outer_, writer);
  inner_.assign(near.subspan(own_moved, moved - own_moved), axis, Labels::places, own_moved);
  outer_.assign(near.subspan(moved, inner - moved), axis, Labels::places, moved);
  tested_ += sweep_between(inner_, outer_, writer);
}

// The box against [from, end) of the columns of inner_.
template <int Dim>
void NodeSearch<Dim>::test(const Box<Dim>& box, std::uint32_t label, std::size_t from, std::size_t end,
                           PairWriter& writer) {
  if (from >= end) return;
  const SortedRun<Dim> run = inner_.run();
  hits_.resize_for_overwrite(end - from + kOverlapSlack);
  const std::size_t found = overlap_run(box, run.columns, from, end, hits_.data());
  Pair* out = writer.reserve(found);
  for (std::size_t h = 0; h < found; ++h) *out++ = ordered_pair(label, run.ids[hits_[h]]);
  writer.commit(out);
  tested_ += end - from;
}

template <int Dim>
std::size_t NodeSearch<Dim>::memory_bytes() const {
  return open_.capacity() * sizeof(Open) + hits_.memory_bytes() + externals_.memory_bytes() +
         near_.memory_bytes() + recall_.open.memory_bytes() + inner_.memory_bytes() + outer_.memory_bytes();
}

template class NodeSearch<2>;
template class NodeSearch<3>;

}  // namespace winnow::kdtree_sweep
