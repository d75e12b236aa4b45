// Refit: every object takes its new box and climbs from its node to the first that contains it. Differs from
// the paper: it does not go up one level at a time, shifting all objects in between at each; it looks up its
// way, goes down again as far as the planes allow (which spares a first Filter of every node), and then all
// objects that change their nodes are put in their places at once.
#include <algorithm>
#include <numeric>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "methods/kdtree_sweep/prefetch.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kChunk = 4096;  // objects that one worker takes at once
constexpr std::size_t kAhead = 24;    // objects whose boxes are on their way
constexpr std::size_t kSampled = 8;   // one of so many objects is compared with where it was

// The caller's boxes, read in the tree's order. Boxes that lie together are read at one address.
template <int Dim>
class BoxReader {
 public:
  explicit BoxReader(const BoxesView<Dim>& boxes)
      : boxes_(boxes), first_(reinterpret_cast<const std::byte*>(boxes.as_boxes())) {}

  Box<Dim> operator[](std::size_t id) const {
    if (first_ == nullptr) return boxes_[id];
    return *reinterpret_cast<const Box<Dim>*>(first_ + id * boxes_.stride_bytes());
  }
  std::size_t size() const { return boxes_.size(); }
  void prefetch(std::size_t id) const {
    if (id < size()) kdtree_sweep::prefetch(boxes_, id);
  }

 private:
  BoxesView<Dim> boxes_;
  const std::byte* first_;
};

// Where an object belongs: it fits, and it crosses the plane if there is one.
template <int Dim>
bool belongs(const Box<Dim>& box, const Node<Dim>& node) {
  return inside(box, node.region) && (node.is_leaf() || side_of(box, node.axis, node.plane) == Side::across);
}

}  // namespace

template <int Dim>
NodeIndex KdTree<Dim>::ideal_node(NodeIndex from, const Box<Dim>& box) const {
  while (!inside(box, nodes_[from].region)) from = nodes_[from].parent;
  while (!nodes_[from].is_leaf()) {
    const Side side = side_of(box, nodes_[from].axis, nodes_[from].plane);
    if (side == Side::across) break;
    from = side == Side::left ? nodes_[from].left : nodes_[from].right;
  }
  return from;
}

// Objects [chunk * kChunk, + kChunk) of the array, block by block.
template <int Dim>
template <Take take>
void KdTree<Dim>::refit_chunk(const Frame<Dim>& frame, std::size_t chunk) {
  const BoxReader<Dim> boxes(take == Take::hulls ? frame.rest->hulls() : frame.boxes);
  const bool most_move = take != Take::hulls || 2 * frame.rest->moved() > objects_.size();
  std::size_t slot = chunk * kChunk;
  const std::size_t last = std::min(objects_.size(), slot + kChunk);
  std::vector<std::uint32_t>& leaving = chunks_[chunk].leaving;
  leaving.clear();
  std::size_t resting = 0;
  auto it = std::ranges::upper_bound(in_order_, slot, {}, [&](NodeIndex i) { return nodes_[i].block_end; });
  for (; slot < last; ++it) {
    const NodeT node = nodes_[*it];
    for (const std::size_t end = std::min<std::size_t>(last, node.block_end); slot < end; ++slot) {
      ObjectT& object = objects_[slot];
      if (most_move && slot + kAhead < last) boxes.prefetch(objects_[slot + kAhead].id);
      object.node = *it;
      if (object.id >= boxes.size()) {
        object.node = kNoNode;
      } else {
        if constexpr (take == Take::hulls) {
          object.moved = frame.rest->motions()[object.id] == Motion::moved;
          if (!object.moved) continue;
        }
        const Box<Dim> box = boxes[object.id];
        if (take == Take::boxes_and_compare && slot % kSampled == 0) {
          Box<Dim> hull;
          set_hull(object.box, frame.margin, hull);
          resting += rests(box, hull, frame.margin);
        }
        object.box = box;
        if (belongs(object.box, node)) continue;
        object.node = ideal_node(*it, object.box);
      }
      leaving.push_back(static_cast<std::uint32_t>(slot));
    }
  }
  chunks_[chunk].resting = resting;
}

template <int Dim>
bool KdTree<Dim>::refit(const Frame<Dim>& frame, Executor& executor) {
  if (frame.take == Take::hulls && frame.rest->moved() == 0 && objects_.size() == frame.boxes.size())
    return false;
  const std::size_t chunks = (objects_.size() + kChunk - 1) / kChunk;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  parallel_for(executor, chunks, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      switch (frame.take) {
        case Take::boxes:
          refit_chunk<Take::boxes>(frame, chunk);
          break;
        case Take::boxes_and_compare:
          refit_chunk<Take::boxes_and_compare>(frame, chunk);
          break;
        case Take::hulls:
          refit_chunk<Take::hulls>(frame, chunk);
          break;
      }
    }
  });
  std::size_t leaving = 0, resting = 0;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    resting += chunks_[chunk].resting;
    leaving += chunks_[chunk].leaving.size();
  }
  for (std::size_t chunk = chunks; chunk < chunks_.size(); ++chunk) chunks_[chunk].leaving.clear();
  if (leaving != 0) place(executor);
  changes_ += leaving;
  const std::size_t sampled = (objects_.size() + kSampled - 1) / kSampled;
  resting_share_ = static_cast<double>(resting) / static_cast<double>(std::max<std::size_t>(sampled, 1));
  return true;
}

// Puts the objects in order of their nodes: in each block those that stay, then those that arrive.
template <int Dim>
void KdTree<Dim>::place(Executor& executor) {
  // Arrivals by node, in the order of the array whoever found them: the tree does not depend on the workers.
  arrivals_begin_.assign(nodes_.size() + 1, 0);
  std::vector<std::uint32_t> staying(nodes_.size());
  for (const NodeIndex index : in_order_)
    staying[index] = nodes_[index].block_end - nodes_[index].block_begin;
  auto source = in_order_.begin();
  for (const Chunk& chunk : chunks_) {
    for (const std::uint32_t slot : chunk.leaving) {
      while (nodes_[*source].block_end <= slot) ++source;
      --staying[*source];
      if (objects_[slot].node != kNoNode) ++arrivals_begin_[objects_[slot].node + 1];
    }
  }
  for (std::size_t i = 1; i < arrivals_begin_.size(); ++i) arrivals_begin_[i] += arrivals_begin_[i - 1];
  arrivals_.resize(arrivals_begin_.back());
  std::vector<std::uint32_t> next(arrivals_begin_.begin(), arrivals_begin_.end() - 1);
  for (const Chunk& chunk : chunks_)
    for (const std::uint32_t slot : chunk.leaving)
      if (objects_[slot].node != kNoNode) arrivals_[next[objects_[slot].node]++] = slot;

  std::vector<std::uint32_t> place_of(in_order_.size() + 1, 0);
  for (std::size_t i = 0; i < in_order_.size(); ++i) {
    const NodeIndex node = in_order_[i];
    place_of[i + 1] = place_of[i] + staying[node] + arrivals_begin_[node + 1] - arrivals_begin_[node];
  }
  other_.resize_for_overwrite(objects_.size());
  parallel_for(executor, in_order_.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const NodeIndex index = in_order_[i];
      NodeT& node = nodes_[index];
      ObjectT* out = other_.data() + place_of[i];
      for (std::uint32_t slot = node.block_begin; slot < node.block_end; ++slot)
        if (objects_[slot].node == index) *out++ = objects_[slot];
      for (std::uint32_t a = arrivals_begin_[index]; a < arrivals_begin_[index + 1]; ++a)
        *out++ = objects_[arrivals_[a]];
      node.block_begin = place_of[i];
      node.block_end = place_of[i + 1];
    }
  });
  other_.resize(place_of.back());
  objects_.swap(other_);
  set_ranges();
}

template <int Dim>
void KdTree<Dim>::set_ranges() {
  for (auto it = top_down_.rbegin(); it != top_down_.rend(); ++it) {
    NodeT& node = nodes_[*it];
    node.begin = node.is_leaf() ? node.block_begin : nodes_[node.left].begin;
    node.end = node.is_leaf() ? node.block_end : nodes_[node.right].end;
  }
}

template <int Dim>
void KdTree<Dim>::list_nodes() {
  in_order_.clear();
  top_down_.clear();
  std::vector<NodeIndex> above;
  for (NodeIndex index = root_; index != kNoNode || !above.empty();) {
    if (index != kNoNode) {
      top_down_.push_back(index);
      above.push_back(index);
      index = nodes_[index].left;
    } else {
      in_order_.push_back(above.back());
      index = nodes_[above.back()].right;
      above.pop_back();
    }
  }
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace winnow::kdtree_sweep
