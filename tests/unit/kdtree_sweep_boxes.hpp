// Boxes for the tests of kdtree_sweep and its tree.
#pragma once

#include "support/generators.hpp"
#include "support/random.hpp"

namespace winnow::test {

// Boxes of about this extent in the unit square or cube.
template <int Dim>
BoxList<Dim> scattered(std::size_t n, double extent, Random& random) {
  BoxList<Dim> boxes(n);
  for (Box<Dim>& box : boxes)
    for (int axis = 0; axis < Dim; ++axis) {
      box.lo[axis] = random.uniform(0, 1);
      box.hi[axis] = box.lo[axis] + random.uniform(0, extent);
    }
  return boxes;
}

template <int Dim>
void jitter(BoxList<Dim>& boxes, double step, Random& random) {
  for (Box<Dim>& box : boxes)
    for (int axis = 0; axis < Dim; ++axis) {
      const float by = random.uniform(-step, step);
      const float extent = box.hi[axis] - box.lo[axis];
      box.lo[axis] += by;
      box.hi[axis] = box.lo[axis] + extent;
    }
}

}  // namespace winnow::test
