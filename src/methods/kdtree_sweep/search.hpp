// Finds the pairs in a tree: §3.1 and §3.3.
#pragma once

#include <memory>
#include <vector>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "winnow/executor.hpp"
#include "winnow/sink.hpp"

namespace winnow::kdtree_sweep {

struct SearchOptions {
  bool sweep = true;         // off: every pair the tree leaves is tested
  bool only_moved = false;   // pairs of two resting objects are left out
  bool label_slots = false;  // pairs are of places in the tree's array instead of ids
};

// One worker's room, in search_node.cpp.
template <int Dim>
class NodeSearch;

template <int Dim>
class Search {
 public:
  Search();
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // Writes every overlapping pair once. Returns how many pairs were tested.
  std::uint64_t run(const KdTree<Dim>& tree, const SearchOptions& options, Executor& executor,
                    PairSink& sink);

  std::size_t memory_bytes() const;

 private:
  // A node, or a whole subtree, with the objects from above that may reach into it.
  struct Task {
    NodeIndex node;
    bool with_subtree;
    std::size_t externals_begin, externals_end;
  };
  void count_moved(const KdTree<Dim>& tree, Executor& executor);
  void make_tasks(const KdTree<Dim>& tree, const SearchOptions& options, std::size_t workers);

  std::vector<std::uint32_t> moved_;  // for each node, the moved objects of its subtree; when they matter
  std::vector<Task> tasks_;
  Buffer<Object<Dim>> externals_;
  std::vector<std::unique_ptr<NodeSearch<Dim>>> workers_;
};

}  // namespace winnow::kdtree_sweep
