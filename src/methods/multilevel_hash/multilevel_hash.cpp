// Eitz and Lixu 2007, as in Pouchol et al. 2009 section 2.2: an object lies in the at most eight cells of its
// size class. 1 choose levels from the boxes' size classes  2 put each object into its cells  3 test pairs in
// cells, and each object against those in the larger cells it touches. Differs: classes of few objects join
// the next larger level; cells are widened while they are not crowded, and swept.
#include "winnow/methods/multilevel_hash.hpp"

#include "winnow/validate.hpp"

namespace winnow {

template <int Dim>
MethodInfo MultilevelHash<Dim>::info() {
  return {.name = "multilevel_hash",
          .summary = "a cell size per size class, one hash table; for mixed sizes",
          .paper = "Eitz and Lixu 2007; Pouchol et al. 2009, section 2.2",
          .by_candidates = true};
}

template <int Dim>
void MultilevelHash<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  grid_.build(boxes);
}

template class MultilevelHash<2>;
template class MultilevelHash<3>;

}  // namespace winnow
