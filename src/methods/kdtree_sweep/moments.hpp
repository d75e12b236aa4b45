// Mean and variance of the centres of some objects: where planes go, and along which axis to sweep.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "methods/kdtree_sweep/kd_tree.hpp"

namespace winnow::kdtree_sweep {

// In doubles, where no sum or square of floats overflows; from the first centre on, so that a scene far from
// the origin keeps its digits.
template <int Dim>
struct Moments {
  std::array<double, Dim> origin{}, sum{}, squares{};
  double count = 0;

  float mean(int axis) const { return static_cast<float>(origin[axis] + sum[axis] / std::max(count, 1.0)); }
  // `count` times the variance.
  double spread(int axis) const { return squares[axis] - sum[axis] * (sum[axis] / std::max(count, 1.0)); }
  int widest_axis() const {
    int widest = 0;
    for (int axis = 1; axis < Dim; ++axis)
      if (spread(axis) > spread(widest)) widest = axis;
    return widest;
  }
};

template <int Dim>
double centre(const Box<Dim>& box, int axis) {
  return 0.5 * (static_cast<double>(box.lo[axis]) + static_cast<double>(box.hi[axis]));
}

template <int Dim>
Moments<Dim> moments_of(const Object<Dim>* begin, const Object<Dim>* end) {
  Moments<Dim> moments;
  if (begin == end) return moments;
  for (int axis = 0; axis < Dim; ++axis) moments.origin[axis] = centre(begin->box, axis);
  for (const Object<Dim>* object = begin; object != end; ++object) {
    for (int axis = 0; axis < Dim; ++axis) {
      const double x = centre(object->box, axis) - moments.origin[axis];
      moments.sum[axis] += x;
      moments.squares[axis] += x * x;
    }
  }
  moments.count = static_cast<double>(end - begin);
  return moments;
}

}  // namespace winnow::kdtree_sweep
