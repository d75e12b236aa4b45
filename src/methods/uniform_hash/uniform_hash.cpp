// Teschner et al. 2003, as in Pouchol et al. 2009 section 2.1: one cell size for all objects.
// 1 choose the cell size from the boxes' size classes  2 put each object into every cell it touches  3 test
// pairs in cells. Differs: exact cells in an open table; cells are widened while they are not crowded, and
// swept; an object of very many cells is tested against everything instead.
#include "winnow/methods/uniform_hash.hpp"

#include "winnow/validate.hpp"

namespace winnow {

template <int Dim>
MethodInfo UniformHash<Dim>::info() {
  return {.name = "uniform_hash",
          .summary = "cells of one size in a hash table; best when objects are alike",
          .paper = "Teschner et al. 2003; Pouchol et al. 2009, section 2.1",
          .by_candidates = true};
}

template <int Dim>
void UniformHash<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  grid_.build(boxes);
}

template class UniformHash<2>;
template class UniformHash<3>;

}  // namespace winnow
