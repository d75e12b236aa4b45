// Poirrier 2009. 1 choose the interest space and the bits of each axis (7.3)  2 code the corners of each box
// (5.2, 5.3)  3 split at crossed planes, once for each axis (4)  4 sort by code, prefixes first (5.4)  5
// sweep: every piece meets the pieces whose cell contains its own (5.5)  6 test their boxes; report a pair
// only where the lower corner of its intersection lies in the inner cell. Differs: step 5 keeps the enclosing
// pieces on a stack instead of looking ahead from each; step 6 makes pairs unique without the paper's list of
// pairs: exactly one piece of either box holds that corner, and as both of their cells do, one contains the
// other and the sweep meets the two. Splitting may end early for cells that are small enough.
#include "winnow/methods/linear_kdtree.hpp"

#include <optional>

#include "base/float_mode.hpp"
#include "methods/linear_kdtree/outline.hpp"
#include "methods/linear_kdtree/search.hpp"
#include "methods/linear_kdtree/tree.hpp"
#include "winnow/validate.hpp"

namespace winnow {

using namespace linear_kdtree;

template <int Dim>
struct LinearKdtree<Dim>::State {
  explicit State(const Options& o)
      : options(o), tree({o.split, o.cells == Options::Cells::octree, o.small_enough}, o.coherent) {}

  Options options;
  std::optional<Outline<Dim>> outline;  // that the tree's space was made for
  Tree<Dim> tree;
  SearchCounts counts;

  void choose_space(BoxesView<Dim> boxes, Executor& executor);
};

template <int Dim>
LinearKdtree<Dim>::LinearKdtree(const Options& options) : state_(std::make_unique<State>(options)) {}

template <int Dim>
LinearKdtree<Dim>::LinearKdtree(LinearKdtree&&) noexcept = default;
template <int Dim>
LinearKdtree<Dim>& LinearKdtree<Dim>::operator=(LinearKdtree&&) noexcept = default;
template <int Dim>
LinearKdtree<Dim>::~LinearKdtree() = default;

template <int Dim>
MethodInfo LinearKdtree<Dim>::info() {
  return {.name = "linear_kdtree",
          .summary = "sorted codes of kd-tree cells, boxes split at crossed planes, one sweep",
          .paper = "Poirrier 2009",
          .keeps_state = true,
          .by_candidates = true};
}

template <int Dim>
const OptionTable<LinearKdtreeOptions>& LinearKdtree<Dim>::option_table() {
  static const auto table =
      OptionTable<Options>()
          .choice("mode", &Options::mode, {{"kd1", Options::Mode::kd1}, {"kd2", Options::Mode::kd2}},
                  "what statistics call a candidate: kd1 all the sweep meets, kd2 unique pairs")
          .choice("cells", &Options::cells,
                  {{"kdtree", Options::Cells::kdtree}, {"octree", Options::Cells::octree}},
                  "octree: codes end at multiples of the dimension")
          .flag("coherent", &Options::coherent, "reuse the last frame's order where it still holds")
          .flag("split", &Options::split, "split boxes that cross a plane")
          .real("small_enough", &Options::small_enough, 0, 1e6, "1",
                "cell volume / box volume where splitting ends; 0: while volume shrinks (paper)")
          .integer("bits", &Options::bits, 0, kMostCodeBits / 3, "bits",
                   "code bits per axis, axes in turn; 0: from the data")
          .real("space_lo", &Options::space_lo, -3.4e38, 3.4e38, "length",
                "interest space on each axis; unless it is below space_hi: the bounds of the boxes")
          .real("space_hi", &Options::space_hi, -3.4e38, 3.4e38, "length", "its other end");
  return table;
}

// Step 1. A space once chosen is kept while it fits, so that the codes of boxes at rest stay what they are.
template <int Dim>
void LinearKdtree<Dim>::State::choose_space(BoxesView<Dim> boxes, Executor& executor) {
  if (boxes.empty()) return;
  Outline<Dim> now = measure(boxes, executor);
  if (outline && outline->fits(now)) return;
  outline = options.coherent ? now.grown() : now;
  Box<Dim> space = outline->bounds;
  if (options.space_lo < options.space_hi) {
    space.lo.fill(static_cast<float>(options.space_lo));
    space.hi.fill(static_cast<float>(options.space_hi));
  }
  // Cells of an octree need the axes in turn.
  const std::size_t bits =
      options.cells == Options::Cells::octree && options.bits == 0 ? kMostCodeBits / Dim : options.bits;
  tree.set_space(bits != 0 ? CodeSpace<Dim>(space, static_cast<int>(bits))
                           : CodeSpace<Dim>(space, outline->unit));
}

template <int Dim>
void LinearKdtree<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  state_->choose_space(boxes, executor);
  state_->tree.assign(boxes, executor);
  state_->counts = {};
}

template <int Dim>
void LinearKdtree<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  state_->counts = search_pairs(state_->tree, state_->options.small_enough, executor, sink);
}

template <int Dim>
void LinearKdtree<Dim>::find_candidates(Executor& executor, PairSink& sink) {
  const DefaultFloatMode mode;
  sink.open(executor.workers());
  search_candidates(state_->tree, executor, sink);
  sink.close();
}

template <int Dim>
MethodStats LinearKdtree<Dim>::stats() const {
  const State& state = *state_;
  const Tree<Dim>& tree = state.tree;
  const bool kd1 = state.options.mode == Options::Mode::kd1;
  const auto detail = [](const char* name, auto value) { return Stat{name, static_cast<double>(value)}; };
  return {
      .candidates = kd1 ? count_candidates(tree) : state.counts.pairs,
      .memory_bytes = tree.memory_bytes(),
      .details = {detail("sub_elements", tree.pieces().size()), detail("code_bits", tree.space().code_bits()),
                  detail("cell_volume", tree.cell_volume()), detail("sorted", tree.pieces_sorted()),
                  detail("tests", state.counts.tests), detail("crowds", state.counts.crowds),
                  detail("crowded", state.counts.crowded)}};
}

template class LinearKdtree<2>;
template class LinearKdtree<3>;

}  // namespace winnow
