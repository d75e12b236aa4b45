#include "winnow/validate.hpp"

#include <limits>
#include <sstream>

#include "base/first_failing.hpp"
#include "base/legal_box.hpp"

namespace winnow {
namespace {

template <int Dim, class Real>
std::string complaint(const Box<Dim, Real>& box, std::size_t index) {
  std::ostringstream text;
  text.precision(std::numeric_limits<Real>::max_digits10);
  text << "box " << index << ": ";
  for (int axis = 0; axis < Dim; ++axis) {
    if (is_legal(box.lo[axis], box.hi[axis])) continue;
    const bool inverted = box.lo[axis] > box.hi[axis];
    text << "xyz"[axis] << " from " << box.lo[axis] << " to " << box.hi[axis]
         << (inverted ? ": the lower bound must not exceed the upper" : ": bounds must be finite numbers");
    break;
  }
  return text.str();
}

}  // namespace

template <int Dim, class Real>
std::optional<std::size_t> first_bad_box(BoxesView<Dim, Real> boxes, Executor& executor) {
  return first_failing(boxes.size(), executor, [&](std::size_t i) { return is_legal(boxes[i]); });
}

template <int Dim, class Real>
void require_valid(BoxesView<Dim, Real> boxes, Executor& executor) {
  if (const auto bad = first_bad_box(boxes, executor))
    throw Error("boxes", complaint(boxes[*bad], *bad), *bad);
}

#define WINNOW_INSTANTIATE(Dim, Real)                                                            \
  template std::optional<std::size_t> first_bad_box<Dim, Real>(BoxesView<Dim, Real>, Executor&); \
  template void require_valid<Dim, Real>(BoxesView<Dim, Real>, Executor&);
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
