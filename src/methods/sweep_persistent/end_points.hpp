// The end points of all boxes' intervals on one axis, kept in order.
#pragma once

#include <array>
#include <cstdint>

#include "algo/radix_sort.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"
#include "winnow/pair.hpp"

namespace winnow::persistent {

inline constexpr std::size_t kMostBoxes = std::size_t{1} << 31;  // an end point keeps 31 bits of the id

// Bounds as 15-bit numbers, to tell most boxes apart without looking them up. Monotone and clamped: boxes
// that overlap overlap on this grid too, wherever they are.
template <int Dim>
class Grid {
 public:
  Grid() = default;
  explicit Grid(BoxesView<Dim> boxes);

  // The box on all axes but `axis`, as a summary: the lower bounds b, c and the upper ones counted from the
  // other end, 16 bits each: {lo b, lo c, most - hi b, most - hi c}.
  std::uint64_t summary(const Box<Dim>& box, int axis) const;

 private:
  std::uint64_t quantised(int axis, float value) const;

  std::array<double, Dim> origin_{};
  std::array<double, Dim> scale_{};
};

// Two summaries overlap when no lane of one exceeds the opposite lane of the other: four comparisons by one
// subtraction, as the sixteenth bits, set in the opposite, catch the borrows.
inline constexpr std::uint64_t kSummaryGuard = 0x8000800080008000ULL;
constexpr std::uint64_t opposite_summary(std::uint64_t summary) {
  return std::rotl(~kSummaryGuard - summary, 32) | kSummaryGuard;
}
constexpr bool summaries_overlap(std::uint64_t a, std::uint64_t b) {
  return ((opposite_summary(b) - a) & kSummaryGuard) == kSummaryGuard;
}

struct EndPoint {
  // Sorts: the bound's float_key, then lower before upper bounds (boxes that touch overlap), then the id.
  std::uint64_t order;
  std::uint64_t summary;

  static constexpr std::uint64_t kUpper = std::uint64_t{1} << 31;
  static std::uint64_t order_of(float bound, bool upper, std::uint32_t id) {
    return std::uint64_t{float_key(bound)} << 32 | (upper ? kUpper : 0) | id;
  }
  bool upper() const { return (order & kUpper) != 0; }
  std::uint32_t id() const { return static_cast<std::uint32_t>(order & (kUpper - 1)); }
};

// Bits, one for each box.
class Flags {
 public:
  void reset(std::size_t size) {
    words_.resize_for_overwrite((size + 63) / 64);
    for (std::uint64_t& word : words_) word = 0;
  }
  bool operator[](std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  std::uint64_t& word(std::size_t i) { return words_[i]; }
  // Whether test(i) holds for each i that is set, rising; stops at the first for which it does not.
  template <class Test>
  bool all_of(Test test) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        if (!test(64 * w + static_cast<std::size_t>(std::countr_zero(word)))) return false;
    return true;
  }
  std::size_t memory_bytes() const { return words_.memory_bytes(); }

 private:
  Buffer<std::uint64_t> words_;
};

template <int Dim>
class AxisEndPoints {
 public:
  explicit AxisEndPoints(int axis) : axis_(axis) {}

  // Sorts afresh.
  void build(BoxesView<Dim> boxes, const Grid<Dim>& grid, Executor& executor);

  // Gives the moved boxes' end points their new bounds and restores the order. Adds to `begun`
  // the pairs of boxes that came to overlap on this axis and whose summaries overlap on the others. Stops and
  // returns false when more than `budget` end points have been passed; the order is then lost.
  bool refresh(BoxesView<Dim> boxes, const Flags& moved, const Grid<Dim>& grid, std::uint64_t budget,
               Buffer<Pair>& begun);
  std::uint64_t passed() const { return passed_; }  // by the last refresh

  // One box. `move` calls visit(other, begins, summary of the other) for each box whose interval comes to
  // overlap its own (begins) or ceases to.
  void insert(std::uint32_t id, const Box<Dim>& box, const Grid<Dim>& grid);
  void remove(std::uint32_t id, const Box<Dim>& box);
  template <class Visit>
  void move(std::uint32_t id, const Box<Dim>& from, const Box<Dim>& to, const Grid<Dim>& grid, Visit visit) {
    const std::uint64_t summary = grid.summary(to, axis_);
    // The bound that widens the interval goes first, so that the two never pass each other.
    const bool upper_first = to.hi[axis_] >= from.hi[axis_];
    for (const bool upper : {upper_first, !upper_first})
      shift(find(EndPoint::order_of(upper ? from.hi[axis_] : from.lo[axis_], upper, id)),
            {EndPoint::order_of(upper ? to.hi[axis_] : to.lo[axis_], upper, id), summary}, visit);
  }

  void reserve(std::size_t boxes) { points_.reserve(2 * boxes); }
  std::size_t memory_bytes() const {
    return points_.memory_bytes() + movers_.memory_bytes() + scratch_.memory_bytes();
  }

 private:
  // An end point taken out of the list, and how many of those that rest come before it.
  struct Mover {
    EndPoint point;
    std::size_t rank;
  };
  void take_movers(BoxesView<Dim> boxes, const Flags& moved, const Grid<Dim>& grid);
  bool sort_movers(std::uint64_t budget, Buffer<Pair>& begun);
  bool pass_resting(std::uint64_t budget, Buffer<Pair>& begun);
  void merge_movers();

  std::size_t find(std::uint64_t order) const;

  // Replaces the end point at `place` and brings it to where it belongs.
  template <class Visit>
  void shift(std::size_t place, const EndPoint& point, Visit visit) {
    const auto pass = [&](std::size_t to, std::size_t other, bool rightwards) {
      points_[to] = points_[other];
      if (points_[other].upper() != point.upper())
        visit(points_[other].id(), point.upper() == rightwards, points_[other].summary);
    };
    for (; place > 0 && point.order < points_[place - 1].order; --place) pass(place, place - 1, false);
    for (; place + 1 < points_.size() && points_[place + 1].order < point.order; ++place)
      pass(place, place + 1, true);
    points_[place] = point;
  }

  int axis_;
  std::uint64_t passed_ = 0;
  Buffer<EndPoint> points_;  // Invariant: sorted by order, two for each box
  Buffer<Mover> movers_;
  RadixScratch<EndPoint> scratch_;
};

}  // namespace winnow::persistent
