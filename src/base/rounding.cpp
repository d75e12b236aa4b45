#include "winnow/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "winnow/validate.hpp"

namespace winnow {
namespace {

constexpr float kMost = std::numeric_limits<float>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Clamping keeps the order of values, and so every overlap; the test in double removes what it adds.
float narrowed(double value) {
  return static_cast<float>(std::clamp(value, -static_cast<double>(kMost), static_cast<double>(kMost)));
}
float rounded_down(double value) {
  const float near = narrowed(value);
  return near > value && near > -kMost ? std::nextafter(near, -kInfinity) : near;
}
float rounded_up(double value) {
  const float near = narrowed(value);
  return near < value && near < kMost ? std::nextafter(near, kInfinity) : near;
}

}  // namespace

template <int Dim>
Box<Dim> round_outward(const Box<Dim, double>& box) {
  Box<Dim> rounded;
  for (int axis = 0; axis < Dim; ++axis) {
    rounded.lo[axis] = rounded_down(box.lo[axis]);
    rounded.hi[axis] = rounded_up(box.hi[axis]);
  }
  return rounded;
}

template <int Dim>
void round_outward(BoxesView<Dim, double> boxes, Executor& executor, Boxes<Dim>& rounded) {
  require_valid(boxes, executor);
  rounded.resize(boxes.size());
  parallel_for(executor, boxes.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) rounded.set(i, round_outward<Dim>(boxes[i]));
  });
}

template Box<2> round_outward<2>(const Box<2, double>&);
template Box<3> round_outward<3>(const Box<3, double>&);
template void round_outward<2>(BoxesView<2, double>, Executor&, Boxes<2>&);
template void round_outward<3>(BoxesView<3, double>, Executor&, Boxes<3>&);

}  // namespace winnow
