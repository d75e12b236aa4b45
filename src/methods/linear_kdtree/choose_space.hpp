// The interest space, and how often each axis is bisected: the paper leaves both to the user (7.3).
#pragma once

#include "methods/linear_kdtree/code_space.hpp"
#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"
#include "winnow/methods/linear_kdtree.hpp"

namespace winnow::linear_kdtree {

// As the options say; what they leave open from the boxes: their bounds, and cells about as long on each axis
// as the smaller boxes are.
template <int Dim>
CodeSpace<Dim> choose_space(BoxesView<Dim> boxes, const LinearKdtreeOptions& options, Executor& executor);

}  // namespace winnow::linear_kdtree
