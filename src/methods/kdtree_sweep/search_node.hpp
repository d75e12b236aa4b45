// The search of one node or subtree, by one worker.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/kdtree_sweep/search.hpp"
#include "methods/kdtree_sweep/sorted_block.hpp"

namespace winnow::kdtree_sweep {

template <int Dim>
class NodeSearch {
 public:
  using Objects = std::span<const Object<Dim>>;

  explicit NodeSearch(bool sweep) : sweep_(sweep) {}

  void start(const KdTree<Dim>& tree, const std::vector<NodePlan>& plans, std::vector<NodePairs<Dim>>& memory,
             const MotionTracker<Dim>* rest, PairWriter& writer);

  void node(NodeIndex index, Objects externals);
  void subtree(NodeIndex index, Objects externals);

  std::uint64_t tested() const { return tested_; }
  std::size_t memory_bytes() const;

 private:
  void search(const Node<Dim>& node, Objects externals);
  void search_live(const Node<Dim>& node, Objects externals);
  void learn(const Node<Dim>& node, Objects externals);
  void find_moved(const Node<Dim>& node, Objects externals);

  void gather(const Node<Dim>& node, Objects externals);
  void pair_all(Objects block, Objects externals, Labels labels, PairWriter& writer);
  void pair_moved(std::size_t moved, std::size_t own, std::size_t moved_externals);
  void test(const Box<Dim>& box, std::uint32_t label, std::size_t from, std::size_t end, PairWriter& writer);

  bool sweep_;
  const KdTree<Dim>* tree_ = nullptr;
  const std::vector<NodePlan>* plans_ = nullptr;
  std::vector<NodePairs<Dim>>* memory_ = nullptr;
  Recall<Dim> recall_;
  std::uint64_t tested_ = 0;

  // A subtree still to be searched, with the externals and the own objects of its parent.
  struct Open {
    NodeIndex node;
    std::size_t externals_begin, externals_end;
  };
  std::vector<Open> open_;
  Buffer<Object<Dim>> externals_;  // a stack: those of a node lie above those of its parent
  Buffer<Object<Dim>> near_;       // what is searched in a node: copies, its own first
  Buffer<std::uint32_t> hits_;
  SortedBlock<Dim> inner_, outer_;
  CollectSink found_;  // pairs of places in near_
};

}  // namespace winnow::kdtree_sweep
