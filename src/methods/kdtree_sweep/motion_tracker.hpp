// §3.4: which objects rest. An object's box is kept enlarged by a margin on all sides (its hull); while new
// boxes stay within the hull the object rests and nothing about it need be searched for. Differs from the
// paper: a resting box must also still contain its core, the box shrunk by the margin. Two resting objects
// whose cores overlap so overlap for certain, and only the pairs between cores and hulls are compared box by
// box; and of these only those whose boxes changed at all since they were compared last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "winnow/box.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow::kdtree_sweep {

// Hulls stay finite: objects at the end of the range of floats are enlarged up to it. Written bound by bound
// to where it stays: a whole box read again at once would wait for its parts.
template <int Dim>
void set_hull(const Box<Dim>& box, float margin, Box<Dim>& hull) {
  constexpr float most = std::numeric_limits<float>::max();
  for (int axis = 0; axis < Dim; ++axis) {
    hull.lo[axis] = std::max(box.lo[axis] - margin, -most);
    hull.hi[axis] = std::min(box.hi[axis] + margin, most);
  }
}

// Computed from the hull alone, so that every use of a core sees the same numbers. Empty (lo > hi) where the
// box is thinner than its margins.
template <int Dim>
Box<Dim> core_of(const Box<Dim>& hull, float margin) {
  Box<Dim> core;
  for (int axis = 0; axis < Dim; ++axis) {
    core.lo[axis] = hull.lo[axis] + 2 * margin;
    core.hi[axis] = hull.hi[axis] - 2 * margin;
  }
  return core;
}

template <int Dim>
bool cores_overlap(const Box<Dim>& hull_a, const Box<Dim>& hull_b, float margin) {
  const Box<Dim> a = core_of(hull_a, margin), b = core_of(hull_b, margin);
  bool overlap = true;
  for (int axis = 0; axis < Dim; ++axis) overlap &= (a.lo[axis] <= b.hi[axis]) & (b.lo[axis] <= a.hi[axis]);
  return overlap;
}

template <int Dim>
bool rests(const Box<Dim>& box, const Box<Dim>& hull, float margin) {
  const Box<Dim> core = core_of(hull, margin);
  bool rest = true;
  for (int axis = 0; axis < Dim; ++axis) {
    rest &= (hull.lo[axis] <= box.lo[axis]) & (box.lo[axis] <= core.lo[axis]);
    rest &= (core.hi[axis] <= box.hi[axis]) & (box.hi[axis] <= hull.hi[axis]);
  }
  return rest;
}

// What an object has done since the last search; of two the greater one counts.
enum class Motion : std::uint8_t {
  none,      // its box is the same
  trembled,  // its box has changed, but rests
  moved,     // it has a new hull
};

// The objects' hulls and motions, by id.
template <int Dim>
class MotionTracker {
 public:
  void clear();  // no objects, no hulls

  // Takes the boxes of a new frame; `renew`: all take new hulls. Throws Error for bad boxes, and then nothing
  // has changed. Boxes that lie as they did are compared as memory, and are not looked at again.
  void observe(BoxesView<Dim> boxes, float margin, bool renew, Executor& executor);
  void searched();  // what has moved so far is known

  BoxesView<Dim> hulls() const { return {hulls_.data(), hulls_.size()}; }
  const Box<Dim>* boxes() const { return boxes_.data(); }  // the last frame's
  float margin() const { return margin_; }
  // Of each id there was at the last search or is now; those that are no longer there have moved.
  const std::vector<Motion>& motions() const { return motions_; }
  std::size_t moved() const { return moved_; }  // objects, since the last search
  bool all_still() const { return still_; }     // no motion at all since then
  std::size_t memory_bytes() const;

 private:
  struct Changes {
    std::uint64_t bits = 0;
    bool legal = true;
  };
  struct Count {
    std::size_t moved = 0;
    bool still = true, legal = true;
  };
  Changes changes(BoxesView<Dim> boxes, std::size_t begin, std::size_t end) const;
  void copy(BoxesView<Dim> boxes, std::size_t begin, std::size_t end);
  void observe_changed(std::size_t begin, std::uint64_t bits, bool renew, Count& count);

  float margin_ = 0;
  Buffer<Box<Dim>> boxes_, hulls_;
  std::vector<Motion> motions_;
  bool all_known_ = true;  // there was no frame since the last search
  std::size_t moved_ = 0;
  bool still_ = true;
  std::vector<std::uint64_t> changed_;  // for each block of boxes, one bit for each
};

}  // namespace winnow::kdtree_sweep
