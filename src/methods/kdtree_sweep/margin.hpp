// §3.4: which objects rest. An object's box is kept enlarged by a margin on all sides (its hull); while new
// boxes stay within the hull the object rests and nothing about it need be searched for. Differs from the
// paper: a resting box must also still contain its core, the box shrunk by the margin. Two resting objects
// whose cores overlap so overlap for certain, and only the pairs between cores and hulls are compared box by
// box.
#pragma once

#include <algorithm>
#include <limits>

#include "winnow/box.hpp"

namespace winnow::kdtree_sweep {

// Hulls stay finite: objects at the end of the range of floats are enlarged up to it.
template <int Dim>
Box<Dim> hull_of(const Box<Dim>& box, float margin) {
  constexpr float most = std::numeric_limits<float>::max();
  Box<Dim> hull;
  for (int axis = 0; axis < Dim; ++axis) {
    hull.lo[axis] = std::max(box.lo[axis] - margin, -most);
    hull.hi[axis] = std::min(box.hi[axis] + margin, most);
  }
  return hull;
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
bool rests(const Box<Dim>& box, const Box<Dim>& hull, float margin) {
  const Box<Dim> core = core_of(hull, margin);
  bool rest = true;
  for (int axis = 0; axis < Dim; ++axis) {
    rest &= (hull.lo[axis] <= box.lo[axis]) & (box.lo[axis] <= core.lo[axis]);
    rest &= (core.hi[axis] <= box.hi[axis]) & (box.hi[axis] <= hull.hi[axis]);
  }
  return rest;
}

}  // namespace winnow::kdtree_sweep
