// The one test of a box: finite bounds and lo <= hi on every axis.
#pragma once

#include <limits>

#include "winnow/box.hpp"

namespace winnow {

// NaN fails every comparison; an infinity passes one bound or the other.
template <class Real>
bool is_legal(Real lo, Real hi) {
  constexpr Real most = std::numeric_limits<Real>::max();
  return (lo >= -most) & (hi <= most) & (lo <= hi);
}

template <int Dim, class Real>
bool is_legal(const Box<Dim, Real>& box) {
  bool legal = true;
  for (int axis = 0; axis < Dim; ++axis) legal &= is_legal(box.lo[axis], box.hi[axis]);
  return legal;
}

}  // namespace winnow
