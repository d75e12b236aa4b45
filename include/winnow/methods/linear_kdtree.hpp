// linear_kdtree: boxes get the code of the smallest kd-tree cell around them, split where they cross a plane;
// sorted codes put every cell right before its subtree, so one sweep meets all candidates.
#pragma once

#include <cstdint>
#include <memory>

#include "winnow/method.hpp"

namespace winnow {

struct LinearKdtreeOptions {
  enum class Mode {
    kd1,  // statistics count candidates as the sweep meets them, repeats included
    kd2   // statistics count unique pairs that pass the test of their boxes
  };
  enum class Cells { kdtree, octree };

  Mode mode = Mode::kd2;
  Cells cells = Cells::kdtree;  // octree: codes end at multiples of the dimension
  bool coherent = true;         // reuse the last frame's order where it still holds
  bool split = true;            // off: one code a box, as the paper compares
  double small_enough = 32;  // cell volume / box volume where splitting ends; 0: while volume shrinks (paper)
  std::size_t bits = 0;      // bits of a code for each axis, up to 19; 0: for each axis from the data
  double space_lo = 0;       // the interest space is [space_lo, space_hi] on each axis;
  double space_hi = 0;       // unless lo < hi: the bounds of the boxes
};

template <int Dim>
class LinearKdtree {
 public:
  using Options = LinearKdtreeOptions;

  explicit LinearKdtree(const Options& options);
  LinearKdtree(LinearKdtree&&) noexcept;
  LinearKdtree& operator=(LinearKdtree&&) noexcept;
  ~LinearKdtree();

  static MethodInfo info();
  static const OptionTable<Options>& option_table();

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);

  // The paper's kd-tree-1: hands the sink, which it opens and closes, all candidates as the sweep meets them:
  // a superset of the pairs, each up to 2^Dim times. For callers whose own test is cheap.
  void find_candidates(Executor& executor, PairSink& sink);

  MethodStats stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
