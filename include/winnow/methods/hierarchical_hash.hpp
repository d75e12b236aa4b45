// hierarchical_hash: multilevel cells that know whether anything smaller is inside; queries skip empty space.
#pragma once

#include "winnow/hash_grid.hpp"
#include "winnow/method.hpp"

namespace winnow {

template <int Dim>
class HierarchicalHash {
 public:
  using Options = NoOptions;

  explicit HierarchicalHash(const Options&) {}

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink) { grid_.find_pairs(executor, sink); }
  MethodStats stats() const { return grid_.stats(); }

 private:
  HashGrid<Dim> grid_{HashScheme::hierarchical, HashUse::pairs};
};

}  // namespace winnow
