// An axis-aligned box: the closed set lo <= x <= hi on each axis, so touching boxes overlap.
#pragma once

#include <array>

namespace winnow {

template <int Dim, class Real = float>
struct Box {
  static_assert(Dim == 2 || Dim == 3, "boxes have two or three dimensions");
  std::array<Real, Dim> lo;
  std::array<Real, Dim> hi;

  friend constexpr bool operator==(const Box&, const Box&) = default;
};

using Box2 = Box<2>;
using Box3 = Box<3>;
using DoubleBox2 = Box<2, double>;
using DoubleBox3 = Box<3, double>;

template <int Dim, class Real>
constexpr bool overlaps(const Box<Dim, Real>& a, const Box<Dim, Real>& b) {
  for (int axis = 0; axis < Dim; ++axis)
    if (!(a.lo[axis] <= b.hi[axis] && b.lo[axis] <= a.hi[axis])) return false;
  return true;
}

}  // namespace winnow
