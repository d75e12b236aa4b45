#include "methods/sweep_persistent/end_points.hpp"

#include <algorithm>
#include <limits>

namespace winnow::persistent {
namespace {

constexpr std::uint64_t kMostCell = 0x7fff;
constexpr std::size_t kGrain = 4096;
constexpr std::uint32_t kLowest = float_key(-std::numeric_limits<float>::infinity());
constexpr std::uint32_t kHighest = float_key(std::numeric_limits<float>::infinity());

// A mover that widens its box, against the end points it passes.
class Crossing {
 public:
  explicit Crossing(const EndPoint& mover) : mover_(mover), opposite_(opposite_summary(mover.summary)) {}
  // Bounds of the other kind whose summary overlaps the mover's: both by one test, as it is hardly ever true.
  bool begins(const EndPoint& other) const {
    const std::uint64_t apart = ~(opposite_ - other.summary) & kSummaryGuard;
    const std::uint64_t same_kind = ~(mover_.order ^ other.order) & EndPoint::kUpper;
    return (apart | same_kind) == 0;
  }

 private:
  const EndPoint mover_;
  const std::uint64_t opposite_;
};

}  // namespace

template <int Dim>
Grid<Dim>::Grid(BoxesView<Dim> boxes) {
  for (int axis = 0; axis < Dim; ++axis) {
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      lo = std::min<double>(lo, boxes.lo(axis, i));
      hi = std::max<double>(hi, boxes.hi(axis, i));
    }
    origin_[axis] = hi > lo ? lo : 0;
    // In double the extent is never infinite, and its inverse not either: it is no less than a denormal
    // float.
    scale_[axis] = hi > lo ? static_cast<double>(kMostCell) / (hi - lo) : 0;
  }
}

template <int Dim>
std::uint64_t Grid<Dim>::quantised(int axis, float value) const {
  const double cell = (static_cast<double>(value) - origin_[axis]) * scale_[axis];
  return static_cast<std::uint64_t>(std::clamp(cell, 0.0, static_cast<double>(kMostCell)));
}

template <int Dim>
std::uint64_t Grid<Dim>::summary(const Box<Dim>& box, int axis) const {
  std::uint64_t summary = 0;
  int lane = 0;
  for (int other = 0; other < Dim; ++other) {
    if (other == axis) continue;
    summary |= quantised(other, box.lo[other]) << lane;
    summary |= (kMostCell - quantised(other, box.hi[other])) << (lane + 32);
    lane += 16;
  }
  return summary;
}

template <int Dim>
void AxisEndPoints<Dim>::build(BoxesView<Dim> boxes, const Grid<Dim>& grid, Executor& executor) {
  const std::size_t n = boxes.size();
  points_.resize_for_overwrite(2 * n);
  parallel_for(executor, n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const Box<Dim> box = boxes[i];
      const std::uint64_t summary = grid.summary(box, axis_);
      const auto id = static_cast<std::uint32_t>(i);
      points_[i] = {EndPoint::order_of(box.lo[axis_], false, id), summary};
      points_[n + i] = {EndPoint::order_of(box.hi[axis_], true, id), summary};
    }
  });
  // Free ids hold empty boxes: their lower bounds are infinite, and so their upper ones.
  const auto no_bound = [](const EndPoint& point) {
    return std::uint32_t(point.order >> 32) == (point.upper() ? kLowest : kHighest);
  };
  points_.resize(
      static_cast<std::size_t>(std::remove_if(points_.begin(), points_.end(), no_bound) - points_.begin()));
  // Stable: equal bounds stay as they were filled in, lower ones first and by id, which is their order.
  radix_sort(points_, scratch_, executor,
             [](const EndPoint& point) { return static_cast<std::uint32_t>(point.order >> 32); });
}

template <int Dim>
bool AxisEndPoints<Dim>::refresh(BoxesView<Dim> boxes, const Flags& moved, const Grid<Dim>& grid,
                                 std::uint64_t budget, Buffer<Pair>& begun) {
  passed_ = 0;
  take_movers(boxes, moved, grid);
  if (!sort_movers(budget, begun) || !pass_resting(budget, begun)) return false;
  merge_movers();
  return true;
}

// Movers leave the list, with their new bounds; those that rest close up.
template <int Dim>
void AxisEndPoints<Dim>::take_movers(BoxesView<Dim> boxes, const Flags& moved, const Grid<Dim>& grid) {
  movers_.clear();
  EndPoint* resting = points_.data();
  for (const EndPoint& point : points_) {
    if (!moved[point.id()]) {
      *resting++ = point;
      continue;
    }
    const Box<Dim> box = boxes[point.id()];
    const float bound = point.upper() ? box.hi[axis_] : box.lo[axis_];
    movers_.push_back({{EndPoint::order_of(bound, point.upper(), point.id()), grid.summary(box, axis_)},
                       static_cast<std::size_t>(resting - points_.data())});
  }
  points_.resize(static_cast<std::size_t>(resting - points_.data()));
}

// Insertion among the movers. A lower bound that passes an upper one begins an overlap.
template <int Dim>
bool AxisEndPoints<Dim>::sort_movers(std::uint64_t budget, Buffer<Pair>& begun) {
  Mover* movers = movers_.data();
  for (std::size_t i = 1; i < movers_.size(); ++i) {
    const Mover mover = movers[i];
    std::size_t place = i;
    for (; place > 0 && mover.point.order < movers[place - 1].point.order; --place) {
      const EndPoint& other = movers[place - 1].point;
      if (!mover.point.upper() && other.upper() && summaries_overlap(mover.point.summary, other.summary))
        begun.push_back(ordered_pair(mover.point.id(), other.id()));
      movers[place] = movers[place - 1];
    }
    movers[place] = mover;
    passed_ += i - place;
    if (passed_ > budget) return false;
  }
  return true;
}

// Finds each mover's new place among those that rest. What lies between the old and the new one is looked at
// only when the mover widens its box: a lower bound going down, an upper one going up.
template <int Dim>
bool AxisEndPoints<Dim>::pass_resting(std::uint64_t budget, Buffer<Pair>& begun) {
  const EndPoint* place = points_.begin();
  for (Mover& mover : movers_) {
    place = std::lower_bound(place, static_cast<const EndPoint*>(points_.end()), mover.point.order,
                             [](const EndPoint& point, std::uint64_t order) { return point.order < order; });
    const std::size_t from = mover.rank, to = static_cast<std::size_t>(place - points_.begin());
    mover.rank = to;
    if (mover.point.upper() ? to <= from : to >= from) continue;
    passed_ += std::max(from, to) - std::min(from, to);
    if (passed_ > budget) return false;
    const Crossing crossing(mover.point);
    for (std::size_t i = std::min(from, to); i < std::max(from, to); ++i)
      if (crossing.begins(points_[i])) begun.push_back(ordered_pair(mover.point.id(), points_[i].id()));
  }
  return true;
}

// From the end, so that each stretch of resting points moves once and nothing is overwritten.
template <int Dim>
void AxisEndPoints<Dim>::merge_movers() {
  std::size_t end = points_.size();
  points_.resize(end + movers_.size());
  for (std::size_t k = movers_.size(); k-- > 0;) {
    const std::size_t rank = movers_[k].rank;
    std::copy_backward(points_.begin() + rank, points_.begin() + end, points_.begin() + end + k + 1);
    points_[rank + k] = movers_[k].point;
    end = rank;
  }
}

template <int Dim>
std::size_t AxisEndPoints<Dim>::find(std::uint64_t order) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(points_, order, {}, &EndPoint::order) -
                                  points_.begin());
}

template <int Dim>
void AxisEndPoints<Dim>::insert(std::uint32_t id, const Box<Dim>& box, const Grid<Dim>& grid) {
  const std::uint64_t summary = grid.summary(box, axis_);
  for (const bool upper : {false, true}) {
    const EndPoint point{EndPoint::order_of(upper ? box.hi[axis_] : box.lo[axis_], upper, id), summary};
    const std::size_t place = find(point.order);
    points_.resize(points_.size() + 1);
    std::copy_backward(points_.begin() + place, points_.end() - 1, points_.end());
    points_[place] = point;
  }
}

template <int Dim>
void AxisEndPoints<Dim>::remove(std::uint32_t id, const Box<Dim>& box) {
  for (const bool upper : {false, true}) {
    const std::size_t place = find(EndPoint::order_of(upper ? box.hi[axis_] : box.lo[axis_], upper, id));
    std::copy(points_.begin() + place + 1, points_.end(), points_.begin() + place);
    points_.resize(points_.size() - 1);
  }
}

template class Grid<2>;
template class Grid<3>;
template class AxisEndPoints<2>;
template class AxisEndPoints<3>;

}  // namespace winnow::persistent
