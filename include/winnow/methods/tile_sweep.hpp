// tile_sweep: tiles that stay in cache, replicated columns inside them, a 16-bit sweep of many boxes at a
// time. The default method: for any number of boxes in any layout, with nothing to set.
#pragma once

#include <memory>

#include "winnow/method.hpp"

namespace winnow {

template <int Dim>
class TileSweep {
 public:
  using Options = NoOptions;

  explicit TileSweep(const Options& options);
  TileSweep(TileSweep&&) noexcept;
  TileSweep& operator=(TileSweep&&) noexcept;
  ~TileSweep();

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);
  MethodStats stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
