// Pouchol et al. 2009: multilevel hashing with additive top-down keys and a has-children flag in each cell.
// 1 choose levels  2 put each object into its cells and flag all larger cells around them  3 pairs as in
// multilevel_hash; queries descend from the largest cells and stop where a cell has no children (Listing 2).
// Differs: flags are marks of two bits beside the table, so that cells without objects need no slot; between
// stored objects has-children flags prune nothing, for an object's own larger cells always have it as a
// child.
#include "winnow/methods/hierarchical_hash.hpp"

#include "winnow/validate.hpp"

namespace winnow {

template <int Dim>
MethodInfo HierarchicalHash<Dim>::info() {
  return {
      .name = "hierarchical_hash",
      .summary = "multilevel cells that know whether anything smaller is inside; queries skip empty space",
      .paper = "Pouchol, Ahmad, Crespin, Terraz 2009",
      .by_candidates = true};
}

template <int Dim>
void HierarchicalHash<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  grid_.build(boxes);
}

template class HierarchicalHash<2>;
template class HierarchicalHash<3>;

}  // namespace winnow
