// uniform_hash: cells of one size in a hash table; best when objects are alike.
#pragma once

#include "winnow/hash_grid.hpp"
#include "winnow/method.hpp"

namespace winnow {

template <int Dim>
class UniformHash {
 public:
  using Options = NoOptions;

  explicit UniformHash(const Options&) {}

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink) { grid_.find_pairs(executor, sink); }
  MethodStats stats() const { return grid_.stats(); }

 private:
  HashGrid<Dim> grid_{HashScheme::uniform, HashUse::pairs};
};

}  // namespace winnow
