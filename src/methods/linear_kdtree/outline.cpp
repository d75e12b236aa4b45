#include "methods/linear_kdtree/outline.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace winnow::linear_kdtree {
namespace {

constexpr std::size_t kSample = 1024;  // boxes
constexpr float kMargin = 1.0f / 64;   // of the bounds' extent, on either side

template <int Dim>
Box<Dim> bounds_of(BoxesView<Dim> boxes, Executor& executor) {
  Box<Dim> none;
  none.lo.fill(std::numeric_limits<float>::infinity());
  none.hi.fill(-std::numeric_limits<float>::infinity());
  std::vector<Box<Dim>> parts(executor.workers(), none);
  parallel_for(executor, boxes.size(), 1 << 14, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    Box<Dim> bounds = parts[worker];
    for (std::size_t i = begin; i < end; ++i) {
      for (int axis = 0; axis < Dim; ++axis) {
        bounds.lo[axis] = std::min(bounds.lo[axis], boxes.lo(axis, i));
        bounds.hi[axis] = std::max(bounds.hi[axis], boxes.hi(axis, i));
      }
    }
    parts[worker] = bounds;
  });
  for (const Box<Dim>& part : parts) {
    for (int axis = 0; axis < Dim; ++axis) {
      none.lo[axis] = std::min(none.lo[axis], part.lo[axis]);
      none.hi[axis] = std::max(none.hi[axis], part.hi[axis]);
    }
  }
  return none;
}

// On each axis the extent that an eighth of the boxes stay below, from a sample.
template <int Dim>
std::array<double, Dim> smaller_extents(BoxesView<Dim> boxes) {
  const std::size_t count = std::min(boxes.size(), kSample);
  std::array<std::vector<double>, Dim> extents;
  std::uint64_t state = 1;
  for (std::size_t k = 0; k < count; ++k) {
    state =
        state * 6364136223846793005u + 1442695040888963407u;  // at random: a stride may beat with the input
    const std::size_t i = boxes.size() <= kSample ? k : (state >> 32) * boxes.size() >> 32;
    for (int axis = 0; axis < Dim; ++axis)
      extents[axis].push_back(static_cast<double>(boxes.hi(axis, i)) - boxes.lo(axis, i));
  }
  std::array<double, Dim> smaller;
  for (int axis = 0; axis < Dim; ++axis) {
    const auto place = extents[axis].begin() + static_cast<std::ptrdiff_t>(count / 8);
    std::nth_element(extents[axis].begin(), place, extents[axis].end());
    smaller[axis] = *place;
  }
  return smaller;
}

}  // namespace

template <int Dim>
Outline<Dim> Outline<Dim>::grown() const {
  constexpr float kMost = std::numeric_limits<float>::max();
  Outline grown = *this;
  for (int axis = 0; axis < Dim; ++axis) {
    const float margin = bounds.hi[axis] * kMargin - bounds.lo[axis] * kMargin;
    grown.bounds.lo[axis] = std::max(-kMost, bounds.lo[axis] - margin);
    grown.bounds.hi[axis] = std::min(kMost, bounds.hi[axis] + margin);
  }
  return grown;
}

template <int Dim>
bool Outline<Dim>::fits(const Outline& other) const {
  for (int axis = 0; axis < Dim; ++axis) {
    if (other.bounds.lo[axis] < bounds.lo[axis] || other.bounds.hi[axis] > bounds.hi[axis]) return false;
    const double extent = static_cast<double>(bounds.hi[axis]) - bounds.lo[axis];
    const double other_extent = static_cast<double>(other.bounds.hi[axis]) - other.bounds.lo[axis];
    if (other_extent < extent * 0.75) return false;
    if (other.unit[axis] < unit[axis] * 0.75 || other.unit[axis] > unit[axis] * 1.5) return false;
  }
  return true;
}

template struct Outline<2>;
template struct Outline<3>;

template <int Dim>
Outline<Dim> measure(BoxesView<Dim> boxes, Executor& executor) {
  return {bounds_of(boxes, executor), smaller_extents(boxes)};
}

template Outline<2> measure(BoxesView<2>, Executor&);
template Outline<3> measure(BoxesView<3>, Executor&);

}  // namespace winnow::linear_kdtree
