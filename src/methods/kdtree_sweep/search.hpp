// Finds the pairs in a tree: §3.1, §3.3 and §3.4.
#pragma once

#include <memory>
#include <vector>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "methods/kdtree_sweep/pair_cache.hpp"
#include "winnow/executor.hpp"
#include "winnow/sink.hpp"

namespace winnow::kdtree_sweep {

// How the pairs of a node are found.
enum class Way : std::uint8_t {
  search,  // the tree has boxes: all pairs are searched for
  live,  // the tree has hulls, but so much moves that all pairs of boxes are searched for and none remembered
  learn,  // all pairs of hulls are searched for and remembered
  mend,   // remembered; only those of moved objects are searched for
};

struct NodePlan {
  Way way = Way::search;
  bool quiet = false;  // nothing in its subtree has moved and all is remembered: only externals can matter
};

// One worker's room, in search_node.cpp.
template <int Dim>
class NodeSearch;

template <int Dim>
class Search {
 public:
  // `sweep` off: every pair the tree leaves is tested.
  explicit Search(bool sweep);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // Each writes every overlapping pair once, and returns how many pairs were tested.
  // The tree has boxes:
  std::uint64_t complete(const KdTree<Dim>& tree, Executor& executor, PairSink& sink);
  // The tree has the hulls of `rest`:
  std::uint64_t incremental(const KdTree<Dim>& tree, const MotionTracker<Dim>& rest, Executor& executor,
                            PairSink& sink);

  void forget() { memory_.clear(); }
  std::uint64_t remembered(const KdTree<Dim>& tree) const;
  std::size_t memory_bytes() const;

 private:
  // A node, or a whole subtree, with the objects from above that may reach into it.
  struct Task {
    NodeIndex node;
    bool with_subtree;
    std::size_t externals_begin, externals_end;
  };
  void plan(const KdTree<Dim>& tree, const MotionTracker<Dim>& rest, Executor& executor);
  void make_tasks(const KdTree<Dim>& tree, std::size_t workers);
  std::uint64_t run(const KdTree<Dim>& tree, const MotionTracker<Dim>* rest, Executor& executor,
                    PairSink& sink);

  bool sweep_;
  std::vector<NodePlan> plans_;         // for each node
  std::vector<NodePairs<Dim>> memory_;  // for each node
  std::vector<Task> tasks_;
  Buffer<Object<Dim>> externals_;
  std::vector<std::unique_ptr<NodeSearch<Dim>>> workers_;
};

}  // namespace winnow::kdtree_sweep
