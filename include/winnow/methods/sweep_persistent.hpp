// sweep_persistent: sweep and prune that keeps its sorted end points and its pairs from frame to frame, and
// works only where the order changes. Best where most boxes rest or move little.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "winnow/box.hpp"
#include "winnow/method.hpp"
#include "winnow/pair.hpp"

namespace winnow {

template <int Dim>
class SweepPersistent {
 public:
  using Options = NoOptions;

  explicit SweepPersistent(const Options& = {});
  ~SweepPersistent();
  SweepPersistent(SweepPersistent&&) noexcept;
  SweepPersistent& operator=(SweepPersistent&&) noexcept;

  static MethodInfo info();
  static const OptionTable<Options>& option_table() { return Options::table(); }

  // Whole frames: box i of a frame is box i of the last one, moved; boxes past the end of the last frame are
  // new, boxes past the end of this one are gone.
  void update(BoxesView<Dim> boxes, Executor& executor);
  void find_pairs(Executor& executor, PairSink& sink);
  MethodStats stats() const;

  // Boxes one by one. Ids are those of the frame before, if any; insert takes a free one. A box's cost is
  // that of its neighbourhood to move, and of one pass over all boxes to insert or remove. Throw Error for a
  // bad box or an id that is not in use, and change nothing then.
  std::uint32_t insert(const Box<Dim>& box);
  void move(std::uint32_t id, const Box<Dim>& box);
  void remove(std::uint32_t id);
  std::size_t size() const;  // boxes now

  // What the last insert, move or remove did to the pairs. A frame given to update() leaves both empty.
  std::span<const Pair> begun() const;
  std::span<const Pair> ended() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
