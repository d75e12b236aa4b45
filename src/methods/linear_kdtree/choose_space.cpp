#include "methods/linear_kdtree/choose_space.hpp"

#include <vector>

namespace winnow::linear_kdtree {
namespace {

constexpr std::size_t kSample = 1024;  // boxes

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
CodeSpace<Dim> choose_space(BoxesView<Dim> boxes, const LinearKdtreeOptions& options, Executor& executor) {
  if (boxes.empty()) return CodeSpace<Dim>();
  Box<Dim, double> space;
  if (options.space_lo < options.space_hi) {
    space.lo.fill(options.space_lo);
    space.hi.fill(options.space_hi);
  } else {
    const Box<Dim> bounds = bounds_of(boxes, executor);
    std::copy(bounds.lo.begin(), bounds.lo.end(), space.lo.begin());
    std::copy(bounds.hi.begin(), bounds.hi.end(), space.hi.begin());
  }
  if (options.bits != 0) return CodeSpace<Dim>(space, static_cast<int>(options.bits));
  if (options.cells == LinearKdtreeOptions::Cells::octree) return CodeSpace<Dim>(space, kMostCodeBits / Dim);
  return CodeSpace<Dim>(space, smaller_extents(boxes));
}

template CodeSpace<2> choose_space(BoxesView<2>, const LinearKdtreeOptions&, Executor&);
template CodeSpace<3> choose_space(BoxesView<3>, const LinearKdtreeOptions&, Executor&);

}  // namespace winnow::linear_kdtree
