#include "methods/tile_sweep/sample.hpp"

#include <algorithm>
#include <cmath>

namespace winnow::tile_sweep {
namespace {

// Means of huge values stay finite, and of tiny ones positive.
constexpr double kTiny = 1e-300;

// The mean of the extents up to eight times their mean: a few giants do not count.
template <class Extents>
double ordinary_mean(std::size_t count, Extents extent) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += extent(i);
  const double most = 8 * sum / static_cast<double>(count);
  double ordinary_sum = 0, ordinary = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = extent(i);
    ordinary_sum += x <= most ? x : 0;
    ordinary += x <= most;
  }
  return ordinary_sum / std::max(ordinary, 1.0);
}

}  // namespace

template <int Dim>
bool Sample<Dim>::draw(const Box<Dim>* boxes, std::size_t n, std::size_t count) {
  centres.resize_for_overwrite(count);
  extents_.resize_for_overwrite(count);
  std::array<Extremes<float>, Dim> extremes;
  bool legal = true;
  const auto look = [&](std::size_t i, std::size_t place) {
    const Box<Dim>& box = boxes[place];
    for (int axis = 0; axis < Dim; ++axis) {
      // Halved first, so that nothing overflows.
      centres[i][axis] = box.lo[axis] * 0.5f + box.hi[axis] * 0.5f;
      extents_[i][axis] = box.hi[axis] * 0.5f - box.lo[axis] * 0.5f;
      extremes[axis].add(centres[i][axis]);
      legal &= std::isfinite(centres[i][axis]) && extents_[i][axis] >= 0;
    }
  };
  for_random_places(
      count, n, [&](std::size_t place) { __builtin_prefetch(boxes + place); }, look);
  if (!legal) return false;
  for (int axis = 0; axis < Dim; ++axis) {
    Spread& spread = axes[axis];
    spread.lo = extremes[axis].lo();
    spread.hi = extremes[axis].hi();
    spread.extent = 2 * ordinary_mean(count, [&](std::size_t i) { return double{extents_[i][axis]}; });
  }
  return true;
}

template <int Dim>
double Sample<Dim>::slots(int axis) const {
  constexpr std::size_t kMost = 1024;
  const Spread& spread = axes[axis];
  const double side_by_side = spread.boxes_side_by_side();
  const auto intervals = static_cast<std::size_t>(std::min<double>(kMost, side_by_side / 2)) + 1;
  std::array<std::uint32_t, kMost + 1> boxes{};
  const double per_unit = static_cast<double>(intervals) / (spread.range() + kTiny);
  for (const auto& centre : centres) {
    const double at = (double{centre[axis]} - spread.lo) * per_unit;
    ++boxes[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(intervals - 1)))];
  }
  double shared = 1;
  for (std::size_t k = 0; k < intervals; ++k)
    shared += static_cast<double>(boxes[k]) * (static_cast<double>(boxes[k]) - 1);
  const double n = static_cast<double>(centres.size());
  return std::min(side_by_side, 2 * n * (n - 1) / shared);
}

template struct Sample<2>;
template struct Sample<3>;

}  // namespace winnow::tile_sweep
