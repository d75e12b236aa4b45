// Serpa and Rodrigues 2019: a kd-tree that mends itself from frame to frame, and a sweep in each of its
// nodes. update: 1 refit: objects that no longer fit their nodes climb to nodes that contain them  2
// optimise: from the top down planes that divide badly move or go, crowded leaves are split, sparse subtrees
// become leaves. find_pairs: 3 from the top down each node's objects are swept against one another and
// against those of the nodes above that reach into it. Incremental (§3.4): 4 objects whose boxes stay near
// where they were rest; nodes in which little moves remember the pairs of what rests, and search for those of
// what has moved. Adaptive (§3.5): 5 incremental while more than K of the objects rest. Each step is in the
// file of its name, with what differs from the paper. Differs here: the adaptive mode keeps no hulls and no
// pairs in complete frames, and compares a sample of the objects with where they were, so that complete
// frames cost what they do without it.
#include "winnow/methods/kdtree_sweep.hpp"

#include <algorithm>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "methods/kdtree_sweep/motion_tracker.hpp"
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

// The mean size of some boxes will do.
constexpr std::size_t kMeasured = 1024;

template <int Dim>
float margin_for(BoxesView<Dim> boxes, double share) {
  const std::size_t step = boxes.size() / kMeasured + 1;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < boxes.size(); i += step, count += Dim)
    for (int axis = 0; axis < Dim; ++axis)
      sum += static_cast<double>(boxes.hi(axis, i)) - static_cast<double>(boxes.lo(axis, i));
  const double mean = boxes.empty() ? 0 : sum / count;
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
        search(o.pruning != KdtreeSweepPruning::tree),
        incremental(o.mode == KdtreeSweepMode::incremental) {}

  bool incremental_next() const;
  float margin_next(BoxesView<Dim> new_boxes) const;
  void take_hulls(BoxesView<Dim> new_boxes, Executor& executor);
  void take_boxes(BoxesView<Dim> new_boxes, Executor& executor);
  void update_tree(const Frame<Dim>& frame, Executor& executor);

  Options options;
  KdTree<Dim> tree;
  Search<Dim> search;
  MotionTracker<Dim> rest;
  std::uint64_t tested = 0;

  bool incremental;          // this frame; the adaptive mode changes it
  float margin = 0;          // of the hulls in the tree
  bool hulls_valid = false;  // the tree has hulls, and those of this margin
  bool all_renewed = false;  // this frame gave all objects new hulls
  double resting_share = 0;  // in this frame
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
bool KdtreeSweep<Dim>::State::incremental_next() const {
  if (options.mode != KdtreeSweepMode::adaptive) return incremental;
  if (incremental && all_renewed) return true;  // all hulls were new: nothing is known yet of what rests
  const bool pairs_fit = tested / kMostTestsToCache <= tree.size();
  return resting_share > options.resting_share && (incremental || pairs_fit);
}

// A new margin means new hulls for all, so a margin is kept until it is far from what it should be.
template <int Dim>
float KdtreeSweep<Dim>::State::margin_next(BoxesView<Dim> new_boxes) const {
  const bool most_moved = resting_share < 0.5;
  if (hulls_valid && !most_moved) return margin;
  const float wanted = margin_for(new_boxes, options.margin);
  const bool near = wanted <= margin * kMarginDrift && wanted >= margin / kMarginDrift;
  return hulls_valid && near ? margin : wanted;
}

template <int Dim>
void KdtreeSweep<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  State& s = *state_;
  if (s.incremental_next())
    s.take_hulls(boxes, executor);
  else
    s.take_boxes(boxes, executor);
}

template <int Dim>
void KdtreeSweep<Dim>::State::take_hulls(BoxesView<Dim> new_boxes, Executor& executor) {
  const float new_margin = margin_next(new_boxes);
  const bool renew = !hulls_valid || new_margin != margin;
  rest.observe(new_boxes, new_margin, renew, executor);
  margin = new_margin;
  all_renewed = renew;
  incremental = hulls_valid = true;
  update_tree({.boxes = new_boxes, .take = Take::hulls, .rest = &rest}, executor);
  const double moved = static_cast<double>(std::min(rest.moved(), new_boxes.size()));
  resting_share = new_boxes.empty() ? 0 : 1 - moved / static_cast<double>(new_boxes.size());
}

template <int Dim>
void KdtreeSweep<Dim>::State::take_boxes(BoxesView<Dim> new_boxes, Executor& executor) {
  require_valid(new_boxes, executor);
  const bool adaptive = options.mode == KdtreeSweepMode::adaptive;
  if (options.mode == KdtreeSweepMode::rebuild) tree.clear();
  if (adaptive) margin = margin_for(new_boxes, options.margin);
  incremental = hulls_valid = all_renewed = false;
  update_tree(
      {.boxes = new_boxes, .take = adaptive ? Take::boxes_and_compare : Take::boxes, .margin = margin},
      executor);
  resting_share = tree.resting_share();
}

template <int Dim>
void KdtreeSweep<Dim>::State::update_tree(const Frame<Dim>& frame, Executor& executor) {
  try {
    tree.update(frame, executor);
  } catch (...) {  // out of memory in the middle of it: better no objects than half of them
    tree.clear();
    search.forget();
    hulls_valid = false;
    throw;
  }
}

template <int Dim>
void KdtreeSweep<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  State& s = *state_;
  if (!s.incremental) {
    s.tested = s.search.complete(s.tree, executor, sink);
    return;
  }
  s.tested = s.search.incremental(s.tree, s.rest, executor, sink);
  s.rest.searched();
}

template <int Dim>
MethodStats KdtreeSweep<Dim>::stats() const {
  const State& s = *state_;
  MethodStats stats{.candidates = s.tested,
                    .memory_bytes = s.tree.memory_bytes() + s.search.memory_bytes() + s.rest.memory_bytes(),
                    .details = {}};
  stats.details.push_back({"way", std::string(s.incremental ? "incremental" : "complete")});
  const TreeShape shape = s.tree.shape();
  stats.details.push_back({"nodes", static_cast<double>(s.tree.in_order().size())});
  stats.details.push_back({"height", static_cast<double>(shape.height)});
  stats.details.push_back({"mean leaf depth", shape.mean_leaf_depth});
  stats.details.push_back({"in leaves", shape.share_in_leaves});
  if (s.incremental || s.options.mode == KdtreeSweepMode::adaptive)
    stats.details.push_back({"resting", s.resting_share});
  if (s.incremental)
    stats.details.push_back({"cached pairs", static_cast<double>(s.search.remembered(s.tree))});
  return stats;
}

template <int Dim>
std::string KdtreeSweep<Dim>::validate() const {
  return state_->tree.validate();
}

template class KdtreeSweep<2>;
template class KdtreeSweep<3>;

}  // namespace winnow
