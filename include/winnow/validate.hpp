// Which boxes are legal: finite bounds and lo <= hi on every axis.
#pragma once

#include <cstddef>
#include <optional>

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"

namespace winnow {

// Index of the first box with a NaN, an infinity or lo > hi.
template <int Dim, class Real>
std::optional<std::size_t> first_bad_box(BoxesView<Dim, Real> boxes, Executor& executor);

// Throws Error naming the first bad box, its axis and its values. Every method's update begins with this.
template <int Dim, class Real>
void require_valid(BoxesView<Dim, Real> boxes, Executor& executor);

}  // namespace winnow
