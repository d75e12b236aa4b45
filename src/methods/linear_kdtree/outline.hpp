// What the choice of the interest space and of each axis' bits rests on: the paper leaves both to the user
// (7.3).
#pragma once

#include <array>

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"

namespace winnow::linear_kdtree {

template <int Dim>
struct Outline {
  Box<Dim> bounds;                 // of all boxes
  std::array<double, Dim> unit{};  // on each axis, the extent that an eighth of the boxes stay below

  // A little larger, so that the next frames' boxes fit too.
  Outline grown() const;
  // Whether a space for this outline still does for boxes with the other: they are inside, and not much
  // smaller in any respect.
  bool fits(const Outline& other) const;
};

// The boxes are valid and not none.
template <int Dim>
Outline<Dim> measure(BoxesView<Dim> boxes, Executor& executor);

}  // namespace winnow::linear_kdtree
