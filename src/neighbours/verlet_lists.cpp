#include <atomic>

#include "winnow/neighbours.hpp"

namespace winnow {

template <int Dim, class Real>
VerletLists<Dim, Real>::VerletLists(Real radius, Real skin, const NeighbourOptions<Dim>& options)
    : radius_(radius), skin_(skin), options_(options) {
  if (!(skin >= 0)) throw Error("skin", "skin: must not be negative, got " + std::to_string(skin));
}

template <int Dim, class Real>
bool VerletLists<Dim, Real>::update(PointsView<Dim, Real> points, Executor& executor) {
  if (!lists_.offsets.empty() && !moved_too_far(points, executor)) return false;
  search_.find(points, radius_ + skin_, options_, executor, lists_);
  made_at_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) made_at_[i] = points[i];
  return true;
}

// Two points that each moved less than half the skin are nearer by less than the skin; a hair less, for
// rounding.
template <int Dim, class Real>
bool VerletLists<Dim, Real>::moved_too_far(PointsView<Dim, Real> points, Executor& executor) const {
  if (points.size() != made_at_.size()) return true;
  const double most = 0.5 * skin_ * (1 - 1e-6);
  std::atomic<bool> too_far{false};
  parallel_for(executor, points.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    bool far = false;
    for (std::size_t i = begin; i < end; ++i) {
      double sum = 0;
      for (int axis = 0; axis < Dim; ++axis) {
        const double d = static_cast<double>(points.at(axis, i)) - made_at_[i][axis];
        sum += d * d;
      }
      far |= !(sum < most * most) && sum != 0;
    }
    if (far) too_far = true;
  });
  return too_far;
}

template class VerletLists<2, float>;
template class VerletLists<3, float>;
template class VerletLists<2, double>;
template class VerletLists<3, double>;

}  // namespace winnow
