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

  // `moved`: for each node the moved objects of its subtree; empty when all pairs are searched for.
  void start(const KdTree<Dim>& tree, const SearchOptions& options, const std::vector<std::uint32_t>& moved,
             PairWriter& writer);

  void node(NodeIndex index, Objects externals);
  void subtree(NodeIndex index, Objects externals);

  std::uint64_t tested() const { return tested_; }
  std::size_t memory_bytes() const;

 private:
  // By sweeps: all pairs, or those of moved objects.
  void sweep_all(const Node<Dim>& node, Objects externals);
  void sweep_moved(const Node<Dim>& node, Objects externals);
  // By comparing: the same.
  void test_all(const Node<Dim>& node, Objects externals);
  void test_moved(const Node<Dim>& node, Objects externals);
  Objects labelled_block(const Node<Dim>& node);
  template <class Keep>
  void test(const Object<Dim>& object, std::size_t from, std::size_t end, Keep keep);

  const KdTree<Dim>* tree_ = nullptr;
  SearchOptions options_;
  const std::vector<std::uint32_t>* moved_ = nullptr;
  PairWriter* writer_ = nullptr;
  std::uint64_t tested_ = 0;

  // A subtree still to be searched, with the externals and the own objects of its parent.
  struct Open {
    NodeIndex node;
    std::size_t externals_begin, externals_end;
  };
  std::vector<Open> open_;
  Buffer<Object<Dim>> externals_;  // a stack: those of a node lie above those of its parent
  Buffer<Object<Dim>> block_, near_, moving_, resting_, moving_externals_;
  Buffer<std::uint32_t> hits_;
  SortedBlock<Dim> inner_, inner_resting_, outer_;
};

}  // namespace winnow::kdtree_sweep
