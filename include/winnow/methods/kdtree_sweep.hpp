// kdtree_sweep: a kd-tree that is kept from frame to frame, with small sweeps in its nodes. Good for scenes
// of any layout; best where many objects rest, as their pairs are remembered.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "winnow/method.hpp"

namespace winnow {

enum class KdtreeSweepMode { complete, incremental, adaptive, rebuild };
enum class KdtreeSweepPruning { both, tree, sweep };

struct KdtreeSweepOptions {
  KdtreeSweepMode mode = KdtreeSweepMode::adaptive;
  std::size_t leaf_capacity = 512;  // objects; the paper's T
  double margin = 0.01;             // mean box sizes; the paper's epsilon
  double resting_share = 0.75;      // of all objects; the paper's K, there 0.6
  KdtreeSweepPruning pruning = KdtreeSweepPruning::both;

  static const OptionTable<KdtreeSweepOptions>& table();
};

template <int Dim>
class KdtreeSweep {
 public:
  using Options = KdtreeSweepOptions;

  explicit KdtreeSweep(const Options& options);
  ~KdtreeSweep();
  KdtreeSweep(KdtreeSweep&&) noexcept;
  KdtreeSweep& operator=(KdtreeSweep&&) noexcept;

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);
  MethodStats stats() const;

  // Checks all invariants of the tree: empty if they hold, else the first that does not. For tests.
  std::string validate() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
