// One node: its objects are paired with one another (internal pairs) and with those from above that reach
// into it (external pairs), §3.1; both by a sweep along the axis of greatest variance of the node's objects,
// §3.3. Differs: the objects are sorted into columns once for a node, not gathered pair by pair, and what
// does not reach the box around the node's own objects is left out before it is sorted.
#include "methods/kdtree_sweep/search_node.hpp"

#include <algorithm>

#include "methods/kdtree_sweep/externals.hpp"
#include "methods/kdtree_sweep/moments.hpp"
#include "simd/overlap.hpp"

namespace winnow::kdtree_sweep {
namespace {

// Up to so many moved objects are compared with all of a node: cheaper than to sort these.
constexpr std::size_t kFewMoved = 32;

constexpr std::size_t kSampledPairs = 64;

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
void NodeSearch<Dim>::start(const KdTree<Dim>& tree, const SearchOptions& options,
                            const std::vector<std::uint32_t>& moved, PairWriter& writer) {
  tree_ = &tree;
  options_ = options;
  moved_ = &moved;
  writer_ = &writer;
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
      append_block(*tree_, current, options_.label_slots, externals_);
      open_.push_back({current.right, begin, externals_.size()});
      open_.push_back({current.left, begin, externals_.size()});
    }
    if (open_.empty()) return;
    const Open next = open_.back();
    open_.pop_back();
    const Node<Dim>& parent = tree_->node(tree_->node(next.node).parent);
    externals_.resize(next.externals_end);
    append_childs(parent, next.node == parent.left, !moved_->empty() && (*moved_)[next.node] == 0,
                  next.externals_begin, next.externals_end, externals_);
    index = next.node;
    begin = next.externals_end;
  }
}

template <int Dim>
void NodeSearch<Dim>::node(NodeIndex index, Objects externals) {
  const Node<Dim>& current = tree_->node(index);
  if (current.block_begin == current.block_end) return;
  if (options_.only_moved)
    sweep_moved(current, externals);
  else if (options_.sweep)
    sweep_all(current, externals);
  else
    test_all(current, externals);
}

// The node's objects with what pairs are to be made of as their ids.
template <int Dim>
auto NodeSearch<Dim>::labelled_block(const Node<Dim>& node) -> Objects {
  if (!options_.label_slots) return tree_->block(node);
  block_.clear();
  append_block(*tree_, node, true, block_);
  return as_span(block_);
}

template <int Dim>
void NodeSearch<Dim>::sweep_all(const Node<Dim>& node, Objects externals) {
  const Objects block = labelled_block(node);
  const int axis = sweep_axis(block);
  inner_.assign(block, axis);
  const SortedRun<Dim> run = inner_.run();
  tested_ += sweep_run(run, run.end, *writer_);
  if (externals.empty()) return;
  const Box<Dim> bounds = bounds_of(block);
  near_.clear();
  append_if(externals, near_, [&](const Object<Dim>& object) { return overlaps(object.box, bounds); });
  outer_.assign(as_span(near_), axis);
  tested_ += sweep_between(inner_, outer_, *writer_);
}

// Moved objects of the node with all of it and with all externals, moved externals with all of the node.
template <int Dim>
void NodeSearch<Dim>::sweep_moved(const Node<Dim>& node, Objects externals) {
  const auto has_moved = [](const Object<Dim>& object) { return object.moved != 0; };
  moving_.clear();
  moving_externals_.clear();
  append_block_if(*tree_, node, options_.label_slots, moving_, has_moved);
  append_if(externals, moving_externals_, has_moved);
  const std::size_t moved = moving_.size() + moving_externals_.size();
  if (moved == 0) return;
  if (moved <= kFewMoved || !options_.sweep) return test_moved(node, externals);

  resting_.clear();
  append_block_if(*tree_, node, options_.label_slots, resting_,
                  [](const Object<Dim>& object) { return object.moved == 0; });
  const int axis = sweep_axis(tree_->block(node));
  inner_resting_.assign(as_span(resting_), axis);
  if (!moving_externals_.empty()) {
    outer_.assign(as_span(moving_externals_), axis);
    tested_ += sweep_between(outer_, inner_resting_, *writer_);
  }
  if (moving_.empty()) return;
  // What only moved objects of the node are paired with, in one run.
  const Box<Dim> bounds = bounds_of(as_span(moving_));
  append_if(externals, resting_, [&](const Object<Dim>& object) { return overlaps(object.box, bounds); });
  inner_.assign(as_span(moving_), axis);
  outer_.assign(as_span(resting_), axis);
  const SortedRun<Dim> moving = inner_.run();
  tested_ += sweep_run(moving, moving.end, *writer_);
  tested_ += sweep_between(inner_, outer_, *writer_);
}

// The object against [from, end) of the columns of inner_; pairs with those that keep(index) holds for.
template <int Dim>
template <class Keep>
void NodeSearch<Dim>::test(const Object<Dim>& object, std::size_t from, std::size_t end, Keep keep) {
  const SortedRun<Dim> run = inner_.run();
  hits_.resize_for_overwrite(end - from + kOverlapSlack);
  const std::size_t found = overlap_run(object.box, run.columns, from, end, hits_.data());
  Pair* out = writer_->reserve(found);
  for (std::size_t h = 0; h < found; ++h) {
    *out = ordered_pair(object.id, run.ids[hits_[h]]);
    out += static_cast<std::size_t>(keep(hits_[h]));
  }
  writer_->commit(out);
  tested_ += end - from;
}

template <int Dim>
void NodeSearch<Dim>::test_all(const Node<Dim>& node, Objects externals) {
  const auto any = [](std::size_t) { return true; };
  const Objects block = labelled_block(node);
  inner_.assign_unsorted(block);
  for (std::size_t i = 0; i < block.size(); ++i) test(block[i], i + 1, block.size(), any);
  for (const Object<Dim>& object : externals) test(object, 0, block.size(), any);
}

template <int Dim>
void NodeSearch<Dim>::test_moved(const Node<Dim>& node, Objects externals) {
  // What is near any moved object: those of the node first.
  Box<Dim> bounds = bounds_of(moving_.empty() ? as_span(moving_externals_) : as_span(moving_));
  for (const Object<Dim>& object : moving_externals_) extend(bounds, object.box);
  const auto is_near = [&](const Object<Dim>& object) { return overlaps(object.box, bounds); };
  near_.clear();
  append_block_if(*tree_, node, options_.label_slots, near_, is_near);
  const std::size_t own = near_.size();
  append_if(externals, near_, is_near);
  inner_.assign_unsorted(as_span(near_));
  for (std::size_t i = 0; i < own; ++i) {
    if (!near_[i].moved) continue;
    // Two moved ones meet twice, and an object itself: kept when the other comes later.
    test(near_[i], 0, near_.size(), [&](std::size_t k) { return k > i || !near_[k].moved; });
  }
  for (std::size_t i = own; i < near_.size(); ++i)
    if (near_[i].moved) test(near_[i], 0, own, [&](std::size_t k) { return !near_[k].moved; });
}

template <int Dim>
std::size_t NodeSearch<Dim>::memory_bytes() const {
  std::size_t bytes = open_.capacity() * sizeof(Open) + hits_.memory_bytes();
  for (const auto* objects : {&externals_, &block_, &near_, &moving_, &resting_, &moving_externals_})
    bytes += objects->memory_bytes();
  return bytes + inner_.memory_bytes() + inner_resting_.memory_bytes() + outer_.memory_bytes();
}

template class NodeSearch<2>;
template class NodeSearch<3>;

}  // namespace winnow::kdtree_sweep
