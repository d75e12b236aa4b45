// sweep: sweep and prune from scratch in each frame: sorts the boxes along one axis and compares each with
// those that begin before it ends. Best where boxes are small against their spread along that axis.
#pragma once

#include <cstdint>
#include <vector>

#include "winnow/method.hpp"

namespace winnow {

enum class SweepScheme { sorted, all_pairs };

struct SweepOptions {
  SweepScheme scheme = SweepScheme::sorted;

  static const OptionTable<SweepOptions>& table();
};

template <int Dim>
class Sweep {
 public:
  using Options = SweepOptions;

  explicit Sweep(const Options& options);
  ~Sweep();
  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;

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
