// §3.1: the search goes down the tree with the objects from above that reach into each node. Differs: workers
// share it (the authors' future work). The upper nodes are cut off until there are enough subtrees for all;
// each upper node and each subtree is a task. §3.4: nodes in which little has moved remember their pairs.
#include "methods/kdtree_sweep/search.hpp"

#include <algorithm>

#include "methods/kdtree_sweep/externals.hpp"
#include "methods/kdtree_sweep/search_node.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kTasksPerWorker = 16;  // so that workers end at about the same time

// Shares of a node's objects that move. Above the first its pairs are not worth remembering: a moved object
// meets all others, in a search of all each meets only those after it. What is not remembered is learned,
// which costs more than a search, when the share is below the second and it is likely to pay.
constexpr double kMovingToForget = 0.15;
constexpr double kMovingToLearn = 0.1;

}  // namespace

template <int Dim>
Search<Dim>::Search(bool sweep) : sweep_(sweep) {}
template <int Dim>
Search<Dim>::~Search() = default;
template <int Dim>
Search<Dim>::Search(Search&&) noexcept = default;
template <int Dim>
Search<Dim>& Search<Dim>::operator=(Search&&) noexcept = default;

template <int Dim>
std::uint64_t Search<Dim>::complete(const KdTree<Dim>& tree, Executor& executor, PairSink& sink) {
  plans_.assign(tree.node_room(), NodePlan{});
  return run(tree, nullptr, executor, sink);
}

template <int Dim>
std::uint64_t Search<Dim>::incremental(const KdTree<Dim>& tree, const MotionTracker<Dim>& rest,
                                       Executor& executor, PairSink& sink) {
  plan(tree, rest, executor);
  return run(tree, &rest, executor, sink);
}

template <int Dim>
void Search<Dim>::plan(const KdTree<Dim>& tree, const MotionTracker<Dim>& rest, Executor& executor) {
  const std::vector<NodeIndex>& nodes = tree.in_order();
  plans_.resize(tree.node_room());
  memory_.resize(tree.node_room());
  parallel_for(executor, nodes.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const Node<Dim>& node = tree.node(nodes[i]);
      const std::span<const Object<Dim>> block = tree.block(node);
      NodePairs<Dim>& pairs = memory_[nodes[i]];
      if (block.empty()) pairs.forget();
      std::size_t moved = 0;
      if (rest.moved() != 0)
        for (const Object<Dim>& object : block) moved += object.moved;
      const double share =
          static_cast<double>(moved) / static_cast<double>(std::max<std::size_t>(block.size(), 1));
      const bool known = block.empty() || pairs.knows(node);
      const Way way = share > (known ? kMovingToForget : kMovingToLearn) ? Way::live
                      : known                                            ? Way::mend
                                                                         : Way::learn;
      plans_[nodes[i]] = {way, way == Way::mend && moved == 0};
    }
  });
  const std::vector<NodeIndex>& top_down = tree.top_down();
  for (auto it = top_down.rbegin(); it != top_down.rend(); ++it) {
    const Node<Dim>& node = tree.node(*it);
    if (!node.is_leaf()) plans_[*it].quiet &= plans_[node.left].quiet & plans_[node.right].quiet;
  }
}

template <int Dim>
std::uint64_t Search<Dim>::run(const KdTree<Dim>& tree, const MotionTracker<Dim>* rest, Executor& executor,
                               PairSink& sink) {
  make_tasks(tree, executor.workers());
  while (workers_.size() < executor.workers()) workers_.push_back(std::make_unique<NodeSearch<Dim>>(sweep_));
  for (std::size_t worker = 0; worker < executor.workers(); ++worker)
    workers_[worker]->start(tree, plans_, memory_, rest, sink.writer(worker));
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
void Search<Dim>::make_tasks(const KdTree<Dim>& tree, std::size_t workers) {
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
    if (!plans_[task.node].quiet) append(tree.block(node), externals_);
    const std::size_t end = externals_.size();
    for (const NodeIndex child : {node.left, node.right}) {
      const std::size_t childs = externals_.size();
      append_childs(node, child == node.left, plans_[child].quiet, begin, end, externals_);
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
std::uint64_t Search<Dim>::remembered(const KdTree<Dim>& tree) const {
  std::uint64_t pairs = 0;
  for (const NodeIndex node : tree.in_order())
    if (node < memory_.size()) pairs += memory_[node].size();
  return pairs;
}

template <int Dim>
std::size_t Search<Dim>::memory_bytes() const {
  std::size_t bytes =
      plans_.capacity() * sizeof(NodePlan) + tasks_.capacity() * sizeof(Task) + externals_.memory_bytes();
  for (const NodePairs<Dim>& pairs : memory_) bytes += pairs.memory_bytes();
  for (const auto& worker : workers_) bytes += worker->memory_bytes();
  return bytes;
}

template class Search<2>;
template class Search<3>;

}  // namespace winnow::kdtree_sweep
