// What a random sample tells of the boxes: where they are, how large, how crowded.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "winnow/box.hpp"
#include "winnow/buffer.hpp"

namespace winnow::tile_sweep {

// A cheap deterministic sequence; a fixed stride would alias with regular input.
class Random {
 public:
  // In [0, 65536).
  std::uint32_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 16;
  }
  // The k-th of `count` places in [0, n), one in each of `count` even parts of it.
  std::size_t place(std::size_t k, std::size_t count, std::size_t n) {
    const double part = static_cast<double>(n) / static_cast<double>(count);
    const double at = part * (static_cast<double>(k) + static_cast<double>(next()) / 65536.0);
    const auto place = static_cast<std::size_t>(at);
    return place < n ? place : n - 1;
  }

 private:
  std::uint32_t state_ = 0x9E3779B9u;
};

// Calls use(i, place) for `count` random places in [0, n), and prefetch(place) for some of them beforehand:
// they lie far apart, and each look would wait for memory.
template <class Prefetch, class Use>
void for_random_places(std::size_t count, std::size_t n, Prefetch prefetch, Use use) {
  constexpr std::size_t kAtOnce = 64;
  std::array<std::size_t, kAtOnce> places;
  Random random;
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    const std::size_t last = std::min(count, first + kAtOnce);
    for (std::size_t i = first; i < last; ++i) {
      places[i - first] = random.place(i, count, n);
      prefetch(places[i - first]);
    }
    for (std::size_t i = first; i < last; ++i) use(i, places[i - first]);
  }
}

// The three least and the three greatest values seen.
template <class T>
class Extremes {
 public:
  void add(T x) {
    push(least_, x, [](T a, T b) { return a < b; });
    push(most_, x, [](T a, T b) { return a > b; });
    ++count_;
  }
  // The range, without a few outliers when many values were seen.
  T lo() const { return least_[trim()]; }
  T hi() const { return most_[trim()]; }

 private:
  std::size_t trim() const { return count_ >= 200 ? 2 : count_ >= 64 ? 1 : 0; }

  template <class Before>
  static void push(std::array<T, 3>& kept, T x, Before before) {
    if (!before(x, kept[2])) return;
    kept[2] = x;
    if (before(kept[2], kept[1])) std::swap(kept[2], kept[1]);
    if (before(kept[1], kept[0])) std::swap(kept[1], kept[0]);
  }

  static constexpr T kMost = std::numeric_limits<T>::max(), kLeast = std::numeric_limits<T>::lowest();
  std::array<T, 3> least_{kMost, kMost, kMost}, most_{kLeast, kLeast, kLeast};
  std::size_t count_ = 0;
};

// One axis.
struct Spread {
  double lo = 0, hi = 0;  // of the centres, without a few outliers
  double extent = 0;      // mean of the ordinary boxes

  double range() const { return hi - lo; }
  // How many boxes fit side by side from end to end.
  double boxes_side_by_side() const { return range() / (extent + 1e-6 * range() + 1e-300); }
};

template <int Dim>
struct Sample {
  Buffer<std::array<float, Dim>> centres;
  std::array<Spread, Dim> axes;

  // Boxes must be legal where they are looked at; returns false when one was not.
  bool draw(const Box<Dim>* boxes, std::size_t n, std::size_t count);
  // How many boxes would fit side by side into what the centres fill if they were spread evenly over it: from
  // the chance that two of them share an interval of two extents.
  double slots(int axis) const;

 private:
  Buffer<std::array<float, Dim>> extents_;
};

}  // namespace winnow::tile_sweep
