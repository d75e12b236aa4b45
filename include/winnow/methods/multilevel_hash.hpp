// multilevel_hash: a cell size per size class, one hash table; for mixed sizes.
#pragma once

#include "winnow/hash_grid.hpp"
#include "winnow/method.hpp"

namespace winnow {

template <int Dim>
class MultilevelHash {
 public:
  using Options = NoOptions;

  explicit MultilevelHash(const Options&) {}

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink) { grid_.find_pairs(executor, sink); }
  MethodStats stats() const { return grid_.stats(); }

 private:
  HashGrid<Dim> grid_{HashScheme::multilevel, HashUse::pairs};
};

}  // namespace winnow
