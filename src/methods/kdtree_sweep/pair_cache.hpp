// §3.4: the pairs of objects that rest, so that they need not be searched for. Differs from the paper: each
// node of the tree remembers the pairs found in it, and so can forget them by itself when most of it moves;
// and what is remembered are pairs of hulls (rest.hpp), what is written pairs of boxes.
#pragma once

#include <cstdint>
#include <span>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "winnow/buffer.hpp"
#include "winnow/sink.hpp"

namespace winnow::kdtree_sweep {

// What all nodes that one worker searches have in common.
template <int Dim>
struct Recall {
  const MotionTracker<Dim>* rest = nullptr;
  PairWriter* writer = nullptr;
  Buffer<Pair> open;  // pairs to be compared box by box
};

template <int Dim>
class NodePairs {
 public:
  // Whether it knows all pairs of resting objects that the node's search would find.
  bool knows(const Node<Dim>& node) const { return whole_ != 0 && node.reshaped <= whole_; }

  void forget();

  // Forgets the pairs of moved objects, and writes the others that overlap.
  void recall(Recall<Dim>& with);

  // Takes pairs of places in `objects` whose hulls overlap; writes those that overlap.
  void remember(std::span<const Pair> places, const Object<Dim>* objects, Recall<Dim>& with);

  // All has been found in the search after this update. Until it is called, nothing can be relied on: a
  // search may end with an exception.
  void complete(std::uint64_t update) { whole_ = update; }

  std::uint64_t size() const { return certain_.size() + touching_.size() + apart_.size(); }
  std::size_t memory_bytes() const;

 private:
  void compare(const Recall<Dim>& with);

  std::uint64_t whole_ = 0;
  Buffer<Pair> certain_;   // cores overlap, and so do the boxes while they rest
  Buffer<Pair> touching_;  // hulls overlap, and boxes did when they were compared last
  Buffer<Pair> apart_;     // hulls overlap, boxes did not
};

}  // namespace winnow::kdtree_sweep
