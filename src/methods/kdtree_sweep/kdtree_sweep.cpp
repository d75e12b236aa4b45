// Serpa and Rodrigues 2019: a kd-tree that mends itself from frame to frame, and a sweep in each of its
// nodes. update: 1 refit: objects that no longer fit their nodes climb to nodes that contain them  2
// optimise: from the top down planes that divide badly move or go, crowded leaves are split, sparse subtrees
// become leaves. find_pairs: 3 from the top down each node's objects are swept against one another and
// against those of the nodes above that reach into it. Incremental (§3.4): 4 objects whose boxes stay near
// where they were rest; pairs of resting objects come from a cache, and only what has moved is searched for.
// Adaptive (§3.5): 5 incremental while more than K of the objects rest. Each step is in the file of its name,
// with what differs from the paper. Differs here: the adaptive mode does not keep the cache in complete
// frames; it fills it by one search of hulls when it turns incremental, so that complete frames cost what
// they do without it.
#include "winnow/methods/kdtree_sweep.hpp"

#include <algorithm>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "methods/kdtree_sweep/pair_cache.hpp"
#include "methods/kdtree_sweep/search.hpp"
#include "winnow/validate.hpp"

namespace winnow {

using namespace kdtree_sweep;

namespace {

// Above so many tests for an object in the last frame its pairs are too many to be kept by a method that may
// choose: eight bytes a pair.
constexpr std::uint64_t kMostTestsToCache = 1024;

// A margin this many times off is a new one; less is not worth giving all objects new hulls.
constexpr float kMarginDrift = 4;

template <int Dim>
float margin_for(BoxesView<Dim> boxes, double share, Executor& executor) {
  std::vector<double> sums(executor.workers(), 0.0);
  parallel_for(executor, boxes.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      for (int axis = 0; axis < Dim; ++axis)
        sum += static_cast<double>(boxes.hi(axis, i)) - static_cast<double>(boxes.lo(axis, i));
    sums[worker] += sum;
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  const double mean = boxes.empty() ? 0 : sum / (static_cast<double>(boxes.size()) * Dim);
  return static_cast<float>(std::min<double>(share * mean, std::numeric_limits<float>::max() / 4));
}

}  // namespace

const OptionTable<KdtreeSweepOptions>& KdtreeSweepOptions::table() {
  using Options = KdtreeSweepOptions;
  static const auto table =
      OptionTable<Options>()
          .choice(
              "mode", &Options::mode,
              {{"complete", KdtreeSweepMode::complete},
               {"incremental", KdtreeSweepMode::incremental},
               {"adaptive", KdtreeSweepMode::adaptive},
               {"rebuild", KdtreeSweepMode::rebuild}},
              "complete: keep the tree, search for all pairs; incremental: search for what has moved, "
              "remember "
              "the rest; adaptive: the better of the two; rebuild: complete, with a new tree in each frame")
          .integer("leaf_capacity", &Options::leaf_capacity, 1, std::size_t{1} << 24, "objects",
                   "a leaf with more is split, a subtree with fewer becomes a leaf (the paper's T)")
          .real("margin", &Options::margin, 0, 1, "mean box sizes",
                "how far a resting box may move (the paper's epsilon)")
          .real("resting_share", &Options::resting_share, 0, 1, "1",
                "adaptive: incremental when more than this share of the objects rests (the paper's K)")
          .choice("pruning", &Options::pruning,
                  {{"both", KdtreeSweepPruning::both},
                   {"tree", KdtreeSweepPruning::tree},
                   {"sweep", KdtreeSweepPruning::sweep}},
                  "both: the paper's method; tree: test every pair the tree leaves; sweep: one leaf, swept");
  return table;
}

template <int Dim>
struct KdtreeSweep<Dim>::State {
  explicit State(const Options& o)
      : options(o),
        tree(o.pruning == KdtreeSweepPruning::sweep ? std::numeric_limits<std::size_t>::max()
                                                    : o.leaf_capacity),
        incremental(o.mode == KdtreeSweepMode::incremental) {}

  void choose_margin(BoxesView<Dim> new_boxes, Executor& executor);
  void choose_mode();
  void search_all(Executor& executor, PairSink& sink);
  void search_moved(Executor& executor, PairSink& sink);

  Options options;
  KdTree<Dim> tree;
  Search<Dim> search;
  BoxesView<Dim> boxes;
  std::uint64_t tested = 0;

  bool incremental;            // this frame; the adaptive mode changes it
  float margin = 0;            // of the hulls in the tree
  bool cache_valid = false;    // the cache holds the pairs of all hulls there were at the last search
  bool searched = false;       // ... and these are the hulls of this frame
  std::size_t cached_ids = 0;  // ids that may be in the cache are below this
  bool all_renewed = false;    // this frame gave all objects new hulls
  double resting_share = 0;    // in this frame
  PairCache<Dim> cache;
  MovedFlags moved;
};

template <int Dim>
KdtreeSweep<Dim>::KdtreeSweep(const Options& options) : state_(std::make_unique<State>(options)) {}
template <int Dim>
KdtreeSweep<Dim>::~KdtreeSweep() = default;
template <int Dim>
KdtreeSweep<Dim>::KdtreeSweep(KdtreeSweep&&) noexcept = default;
template <int Dim>
KdtreeSweep<Dim>& KdtreeSweep<Dim>::operator=(KdtreeSweep&&) noexcept = default;

template <int Dim>
MethodInfo KdtreeSweep<Dim>::info() {
  return {.name = "kdtree_sweep",
          .summary = "keeps a kd-tree from frame to frame, sweeps in its nodes, remembers what rests",
          .paper = "Serpa, Rodrigues 2019",
          .keeps_state = true};
}

// Turns to the incremental way and back by how many objects rested in the last frame.
template <int Dim>
void KdtreeSweep<Dim>::State::choose_mode() {
  if (options.mode != KdtreeSweepMode::adaptive) return;
  if (incremental && all_renewed) return;  // all hulls were new: nothing is known yet of what rests
  const bool pairs_fit = tested / kMostTestsToCache <= tree.size();
  incremental = resting_share > options.resting_share && (incremental || pairs_fit);
}

// A new margin means new hulls for all, so a margin is kept until it is far from what it should be.
template <int Dim>
void KdtreeSweep<Dim>::State::choose_margin(BoxesView<Dim> new_boxes, Executor& executor) {
  const bool most_moved = resting_share < 0.5;
  if (cache_valid && !most_moved) return;
  const float wanted = margin_for(new_boxes, options.margin, executor);
  if (cache_valid && wanted <= margin * kMarginDrift && wanted >= margin / kMarginDrift) return;
  margin = wanted;
  cache_valid = false;
}

template <int Dim>
void KdtreeSweep<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  State& s = *state_;
  if (s.options.mode == KdtreeSweepMode::rebuild) s.tree.clear();
  s.choose_mode();
  const bool adaptive = s.options.mode == KdtreeSweepMode::adaptive;
  Frame<Dim> frame{.boxes = boxes};
  if (s.incremental) {
    s.choose_margin(boxes, executor);
    if (!s.cache_valid) s.cache.clear();
    s.moved.assign(std::max(boxes.size(), s.cached_ids), 0);
    std::fill(s.moved.begin() + static_cast<std::ptrdiff_t>(boxes.size()), s.moved.end(), std::uint8_t{1});
    frame.take = Take::hulls;
    frame.renew = !s.cache_valid;
    frame.keep_moved = !s.searched;
    frame.moved_flags = s.moved.data();
  } else if (adaptive) {
    if (s.margin == 0) s.margin = margin_for(boxes, s.options.margin, executor);
    frame.take = Take::boxes_and_compare;
    s.cache_valid = false;
  }
  frame.margin = s.margin;
  s.all_renewed = frame.renew;
  try {
    s.tree.update(frame, executor);
  } catch (...) {  // out of memory in the middle of it: better no objects than half of them
    s.tree.clear();
    s.cache_valid = false;
    throw;
  }
  s.boxes = boxes;
  s.searched = false;
  s.cached_ids = std::max(boxes.size(), s.cached_ids);
  s.resting_share =
      boxes.empty() ? 0 : 1 - static_cast<double>(s.tree.moved()) / static_cast<double>(boxes.size());
}

template <int Dim>
void KdtreeSweep<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  if (state_->incremental)
    state_->search_moved(executor, sink);
  else
    state_->search_all(executor, sink);
}

template <int Dim>
void KdtreeSweep<Dim>::State::search_all(Executor& executor, PairSink& sink) {
  tested = search.run(tree, {.sweep = options.pruning != KdtreeSweepPruning::tree}, executor, sink);
}

template <int Dim>
void KdtreeSweep<Dim>::State::search_moved(Executor& executor, PairSink& sink) {
  // Until it ends well the cache is not what it should be: a sink may throw.
  const bool known = searched;
  const bool some_moved = !known && (tree.moved() != 0 || cached_ids > boxes.size());
  searched = cache_valid = false;
  cache.deliver(boxes, some_moved ? &moved : nullptr, executor, sink);
  if (!known) {
    typename PairCache<Dim>::Sink to_cache(cache, tree, boxes, margin, sink);
    to_cache.open(executor.workers());
    tested = search.run(tree,
                        {.sweep = options.pruning != KdtreeSweepPruning::tree,
                         .only_moved = tree.moved() < tree.size(),
                         .label_slots = true},
                        executor, to_cache);
    to_cache.close();
    cached_ids = boxes.size();
  }
  searched = cache_valid = true;
}

template <int Dim>
MethodStats KdtreeSweep<Dim>::stats() const {
  const State& s = *state_;
  MethodStats stats{.candidates = s.tested,
                    .memory_bytes = s.tree.memory_bytes() + s.search.memory_bytes() + s.cache.memory_bytes() +
                                    s.moved.capacity(),
                    .details = {}};
  stats.details.push_back({"way", std::string(s.incremental ? "incremental" : "complete")});
  const TreeShape shape = s.tree.shape();
  stats.details.push_back({"nodes", static_cast<double>(s.tree.in_order().size())});
  stats.details.push_back({"height", static_cast<double>(shape.height)});
  stats.details.push_back({"mean leaf depth", shape.mean_leaf_depth});
  stats.details.push_back({"in leaves", shape.share_in_leaves});
  if (s.incremental || s.options.mode == KdtreeSweepMode::adaptive)
    stats.details.push_back({"resting", s.resting_share});
  if (s.incremental) stats.details.push_back({"cached pairs", static_cast<double>(s.cache.size())});
  return stats;
}

template <int Dim>
std::string KdtreeSweep<Dim>::validate() const {
  return state_->tree.validate();
}

template class KdtreeSweep<2>;
template class KdtreeSweep<3>;

}  // namespace winnow
