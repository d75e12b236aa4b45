// §3.1: the search goes down the tree with the objects from above that reach into each node. Differs: workers
// share it (the authors' future work). The upper nodes are cut off until there are enough subtrees for all;
// each upper node and each subtree is a task.
#include "methods/kdtree_sweep/search.hpp"

#include <algorithm>

#include "methods/kdtree_sweep/externals.hpp"
#include "methods/kdtree_sweep/search_node.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kTasksPerWorker = 16;  // so that workers end at about the same time

}  // namespace

template <int Dim>
Search<Dim>::Search() = default;
template <int Dim>
Search<Dim>::~Search() = default;
template <int Dim>
Search<Dim>::Search(Search&&) noexcept = default;
template <int Dim>
Search<Dim>& Search<Dim>::operator=(Search&&) noexcept = default;

template <int Dim>
std::uint64_t Search<Dim>::run(const KdTree<Dim>& tree, const SearchOptions& options, Executor& executor,
                               PairSink& sink) {
  moved_.clear();
  if (options.only_moved) {
    if (tree.moved() == 0) return 0;
    count_moved(tree, executor);
  }
  make_tasks(tree, options, executor.workers());
  while (workers_.size() < executor.workers()) workers_.push_back(std::make_unique<NodeSearch<Dim>>());
  for (std::size_t worker = 0; worker < executor.workers(); ++worker)
    workers_[worker]->start(tree, options, moved_, sink.writer(worker));
  parallel_for(executor, tasks_.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    for (std::size_t i = begin; i < end; ++i) {
      const Task& task = tasks_[i];
      const std::span<const Object<Dim>> externals(externals_.data() + task.externals_begin,
                                                   task.externals_end - task.externals_begin);
      if (task.with_subtree)
        workers_[worker]->subtree(task.node, externals);
      else
        workers_[worker]->node(task.node, externals);
    }
  });
  std::uint64_t tested = 0;
  for (std::size_t worker = 0; worker < executor.workers(); ++worker) tested += workers_[worker]->tested();
  return tested;
}

template <int Dim>
void Search<Dim>::count_moved(const KdTree<Dim>& tree, Executor& executor) {
  const std::vector<NodeIndex>& nodes = tree.in_order();
  moved_.resize(tree.node_room());
  parallel_for(executor, nodes.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const Node<Dim>& node = tree.node(nodes[i]);
      moved_[nodes[i]] = 0;
      for (std::uint32_t slot = node.block_begin; slot < node.block_end; ++slot)
        moved_[nodes[i]] += tree.objects()[slot].moved;
    }
  });
  const std::vector<NodeIndex>& top_down = tree.top_down();
  for (auto it = top_down.rbegin(); it != top_down.rend(); ++it) {
    const Node<Dim>& node = tree.node(*it);
    if (!node.is_leaf()) moved_[*it] += moved_[node.left] + moved_[node.right];
  }
}

template <int Dim>
void Search<Dim>::make_tasks(const KdTree<Dim>& tree, const SearchOptions& options, std::size_t workers) {
  const std::size_t share = workers == 1 ? tree.size() : tree.size() / (workers * kTasksPerWorker);
  tasks_.clear();
  externals_.clear();
  std::vector<Task> open{{tree.root(), true, 0, 0}};
  while (!open.empty()) {
    Task task = open.back();
    open.pop_back();
    const Node<Dim>& node = tree.node(task.node);
    const bool cut = !node.is_leaf() && node.population() > share;
    task.with_subtree = !cut;
    tasks_.push_back(task);
    if (!cut) continue;
    const std::size_t begin = externals_.size();
    externals_.resize(begin + task.externals_end - task.externals_begin);
    std::copy(externals_.data() + task.externals_begin, externals_.data() + task.externals_end,
              externals_.data() + begin);
    append_block(tree, node, options.label_slots, externals_);
    const std::size_t end = externals_.size();
    for (const NodeIndex child : {node.left, node.right}) {
      const std::size_t childs = externals_.size();
      append_childs(node, child == node.left, !moved_.empty() && moved_[child] == 0, begin, end, externals_);
      open.push_back({child, true, childs, externals_.size()});
    }
  }
  // Large ones first.
  std::ranges::sort(tasks_, std::greater{}, [&](const Task& task) {
    const Node<Dim>& node = tree.node(task.node);
    return task.with_subtree ? node.population() : node.block_end - node.block_begin;
  });
}

template <int Dim>
std::size_t Search<Dim>::memory_bytes() const {
  std::size_t bytes = moved_.capacity() * sizeof(std::uint32_t) + tasks_.capacity() * sizeof(Task) +
                      externals_.memory_bytes();
  for (const auto& worker : workers_) bytes += worker->memory_bytes();
  return bytes;
}

template class Search<2>;
template class Search<3>;

}  // namespace winnow::kdtree_sweep
