// The axis along which the boxes are spread most.
#pragma once

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"

namespace winnow {

// The axis of greatest variance of the boxes' centres; the lowest of equal ones, 0 for no boxes.
template <int Dim>
int axis_of_greatest_variance(BoxesView<Dim> boxes, Executor& executor);

}  // namespace winnow
