#include "algo/variance.hpp"

#include <algorithm>
#include <vector>

namespace winnow {
namespace {

template <int Dim>
struct alignas(kCacheLine) Moments {
  std::array<double, Dim> sum{};
  std::array<double, Dim> squares{};
};

constexpr std::size_t kGrain = 8192;

// Twice the centre: exact in double but for bounds of very different size, and it cannot overflow.
template <int Dim>
double twice_centre(const Box<Dim>& box, int axis) {
  return static_cast<double>(box.lo[axis]) + static_cast<double>(box.hi[axis]);
}

}  // namespace

template <int Dim>
int axis_of_greatest_variance(BoxesView<Dim> boxes, Executor& executor) {
  if (boxes.empty()) return 0;
  // Distances from one of the boxes, not from the origin: a scene far away keeps its digits.
  const Box<Dim> origin = boxes[0];
  std::vector<Moments<Dim>> parts(executor.workers());
  parallel_for(executor, boxes.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    Moments<Dim> moments;  // on the stack: the compiler may keep it in registers
    for (std::size_t i = begin; i < end; ++i) {
      const Box<Dim> box = boxes[i];
      for (int axis = 0; axis < Dim; ++axis) {
        const double x = twice_centre(box, axis) - twice_centre(origin, axis);
        moments.sum[axis] += x;
        moments.squares[axis] += x * x;
      }
    }
    for (int axis = 0; axis < Dim; ++axis) {
      parts[worker].sum[axis] += moments.sum[axis];
      parts[worker].squares[axis] += moments.squares[axis];
    }
  });
  std::array<double, Dim> variance{};
  for (int axis = 0; axis < Dim; ++axis) {
    double sum = 0, squares = 0;
    for (const Moments<Dim>& part : parts) {
      sum += part.sum[axis];
      squares += part.squares[axis];
    }
    variance[axis] = squares - sum * (sum / static_cast<double>(boxes.size()));
  }
  return static_cast<int>(std::ranges::max_element(variance) - variance.begin());
}

template int axis_of_greatest_variance<2>(BoxesView<2>, Executor&);
template int axis_of_greatest_variance<3>(BoxesView<3>, Executor&);

}  // namespace winnow
