// The tree of Serpa and Rodrigues 2019, §3.2. Every node, inner or leaf, holds objects: an inner node those
// that cross its plane, a leaf all that are left. The objects of all nodes lie in one array, in in-order:
//   | left subtree | own block | right subtree |
// so a subtree's objects are one range, and pulling them all up to its root moves nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "methods/kdtree_sweep/motion_tracker.hpp"
#include "winnow/box.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow::kdtree_sweep {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0x7fffffff;

// A box where it is searched for: whole cache half-lines move when an object changes its node.
template <int Dim>
struct Object {
  Box<Dim> box;
  std::uint32_t id;
  std::uint32_t node : 31;  // where it goes, while it moves from node to node
  std::uint32_t moved : 1;  // hulls: its pairs are to be searched for
};

template <int Dim>
struct Node {
  static constexpr int kLeaf = -1;

  // The space the planes above leave to the subtree: lo <= x < hi. Half open, so that boxes on the two sides
  // of a plane never touch; the root's bounds are infinite.
  Box<Dim> region;
  int axis = kLeaf;
  float plane = 0;
  NodeIndex parent = kNoNode, left = kNoNode, right = kNoNode;
  std::uint32_t begin = 0, end = 0;              // the subtree's objects
  std::uint32_t block_begin = 0, block_end = 0;  // its own
  // All objects of the subtree are in its own block, whatever its children say: their indices are stale until
  // the pass that goes down the tree reaches them (the paper's delayed offsets).
  bool pulled_up = false;
  // A plane of this cost was the best to be had: worse than Evaluate likes, but no reason to try again.
  double accepted_cost = 0;
  // The last update that gave it other objects than those that moved; pairs remembered from before are void.
  std::uint64_t reshaped = 0;

  bool is_leaf() const { return axis == kLeaf; }
  std::uint32_t population() const { return end - begin; }
};

// Which side of a plane a box is on. Left ends before the plane, right begins on or after it.
enum class Side { left, across, right };

template <int Dim>
Side side_of(const Box<Dim>& box, int axis, float plane) {
  // Where lo reaches the plane, hi does too. A sum instead of two branches that nobody can predict.
  return static_cast<Side>((box.hi[axis] >= plane) + (box.lo[axis] >= plane));
}

template <int Dim>
bool inside(const Box<Dim>& box, const Box<Dim>& region) {
  bool in = true;
  for (int axis = 0; axis < Dim; ++axis)
    in &= (region.lo[axis] <= box.lo[axis]) & (box.hi[axis] < region.hi[axis]);
  return in;
}

// What objects take from a new frame.
enum class Take {
  boxes,              // the new box
  boxes_and_compare,  // the same, and a sample of them tells how many are near their old ones
  hulls,              // nothing while they rest (rest.hpp), else a new hull
};

template <int Dim>
struct Frame {
  BoxesView<Dim> boxes;
  Take take = Take::boxes;
  float margin = 0;                          // boxes_and_compare: how near is near
  const MotionTracker<Dim>* rest = nullptr;  // hulls
};

// What Figure 9 tells of a tree.
struct TreeShape {
  std::size_t height = 0;  // planes above the deepest leaf
  double mean_leaf_depth = 0;
  double share_in_leaves = 0;  // of all objects
};

template <int Dim>
class KdTree {
 public:
  // A leaf is split when it has more than `capacity` objects, a subtree becomes a leaf when it has fewer: T.
  explicit KdTree(std::size_t capacity) : capacity_(capacity) { clear(); }

  void clear();  // one empty leaf

  // The paper's update: new boxes, then refit bottom-up, then optimise top-down. Objects are 0 .. n - 1;
  // those that were not there enter at the right-hand end, those no longer there leave.
  void update(const Frame<Dim>& frame, Executor& executor);

  NodeIndex root() const { return root_; }
  const Node<Dim>& node(NodeIndex index) const { return nodes_[index]; }
  const Object<Dim>* objects() const { return objects_.data(); }
  std::size_t size() const { return objects_.size(); }
  std::span<const Object<Dim>> block(const Node<Dim>& node) const {
    return {objects_.data() + node.block_begin, node.block_end - node.block_begin};
  }
  const std::vector<NodeIndex>& in_order() const { return in_order_; }  // as their blocks lie
  const std::vector<NodeIndex>& top_down() const { return top_down_; }  // parents first
  std::size_t node_room() const { return nodes_.size(); }               // indices are below this
  double resting_share() const { return resting_share_; }               // boxes_and_compare: of the sample
  std::uint64_t updates() const { return updates_; }
  std::uint64_t changes() const { return changes_; }  // of objects' nodes and of planes, since ever
  std::size_t memory_bytes() const;
  TreeShape shape() const;

  // Empty if all invariants hold, else the first that does not.
  std::string validate() const;

 private:
  using NodeT = Node<Dim>;
  using ObjectT = Object<Dim>;

  // What the visit of one node leaves to be done.
  struct Visit {
    NodeIndex node = kNoNode;
    std::array<NodeIndex, 2> spare{kNoNode, kNoNode};    // for children, had before the visit
    std::array<NodeIndex, 2> next{kNoNode, kNoNode};     // to be visited after it
    std::array<NodeIndex, 2> dropped{kNoNode, kNoNode};  // subtrees to be released after it
    NodeIndex heir = kNoNode;                            // takes the node's place below its parent
    bool changed = false;
  };
  struct Split {
    int axis;
    float plane;
    double cost;
    bool good;  // in Evaluate's eyes
  };

  // insert.cpp
  void insert(std::size_t count);

  // refit.cpp
  bool refit(const Frame<Dim>& frame, Executor& executor);  // false if no object has a new box
  template <Take take>
  void refit_chunk(const Frame<Dim>& frame, std::size_t chunk);
  NodeIndex ideal_node(NodeIndex from, const Box<Dim>& box) const;
  void place(Executor& executor);
  void list_nodes();
  void set_ranges();

  // optimise.cpp
  void optimise(Executor& executor);
  void visit(Visit& visit);
  void finish(const Visit& visit);
  NodeIndex new_node();
  void release(NodeIndex subtree);

  // One file each.
  void filter(NodeIndex index);
  void partition(Visit& visit);
  bool find_split(const NodeT& node, Split& split) const;
  void collapse(Visit& visit);
  bool evaluate(const NodeT& node) const;
  void translate(NodeIndex index);
  void erase(Visit& visit);

  std::size_t capacity_;
  Buffer<ObjectT> objects_;
  Buffer<ObjectT> other_;  // where objects go when they are put in a new order
  std::vector<NodeT> nodes_;
  std::vector<NodeIndex> free_nodes_;
  NodeIndex root_ = kNoNode;
  std::vector<NodeIndex> in_order_, top_down_;
  double resting_share_ = 0;
  std::uint64_t updates_ = 0;
  std::uint64_t changes_ = 0;

  struct Chunk {
    std::vector<std::uint32_t> leaving;  // objects that are not where they belong
    std::size_t resting = 0;             // of the sample
  };
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> arrivals_, arrivals_begin_;
  std::vector<Visit> visits_, next_visits_;
};

// Cost (equations 1 and 2) and Balance (equation 3) of a node with n objects of its own and two subtrees.
double split_cost(double n, double left, double right);
double split_balance(double n, double left, double right);

// Above this cost a split leaves nearly all pairs to be tested, and is not worth having.
inline constexpr double kWorstCost = 0.9;

}  // namespace winnow::kdtree_sweep
