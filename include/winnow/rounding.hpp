// Double boxes for a float search: rounded outward, so that boxes that overlap in double overlap in float
// too.
#pragma once

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"

namespace winnow {

// The smallest float box around a double box; bounds past the floats' range stop at the largest float.
template <int Dim>
Box<Dim> round_outward(const Box<Dim, double>& box);

// The same for all boxes. Throws Error for the first bad one.
template <int Dim>
void round_outward(BoxesView<Dim, double> boxes, Executor& executor, Boxes<Dim>& rounded);

}  // namespace winnow
