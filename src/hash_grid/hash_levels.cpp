#include "hash_grid/hash_levels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace winnow {
namespace {

constexpr std::size_t kRareShare =
    64;                        // a class of fewer than one object in so many gets no level of its own
constexpr int kLeastStep = 2;  // classes from a level to the next: cells up to four times their objects

// Measured on the development machine, ns: putting an object into one more cell; testing a pair inside a
// cell; testing a pair in a straight run. Only their ratios matter.
constexpr double kCopyCost = 40, kTestCost = 2, kRunCost = 0.5;

// Of a double that is not denormal, as every difference of floats; below every class for zero.
int exponent(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1023; }
bool is_power_of_two(double x) { return std::bit_cast<std::uint64_t>(x) << 12 == 0; }

}  // namespace

std::size_t ClassCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
}

template <int Dim>
int class_of(const Box<Dim>& box) {
  double edge = 0, reach = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    const double lo = box.lo[axis], hi = box.hi[axis];
    edge = std::max(edge, hi - lo);
    reach = std::max({reach, std::abs(lo), std::abs(hi)});
  }
  // The spacing of floats around 2^e is 2^(e - 23). An exact power of two fits itself.
  const int spacing_class = exponent(reach) - 23;
  const int edge_class = exponent(edge) + !is_power_of_two(edge);
  return std::clamp(std::max(edge_class, spacing_class), kSmallestClass, kLargestClass);
}

template int class_of<2>(const Box<2>&);
template int class_of<3>(const Box<3>&);

std::vector<int> choose_levels(const ClassCounts& counts, int widening) {
  const int least_step = kLeastStep + std::min(widening, 2);
  const std::size_t rare = counts.total() / kRareShare;
  std::vector<int> levels;
  std::size_t waiting = 0;  // objects of smaller, rare classes
  int top = kSmallestClass;
  int lowest = 0;  // class that the last level was made for first
  for (int c = kSmallestClass; c <= kLargestClass; ++c) {
    if (counts[c] == 0) continue;
    top = c;
    waiting += counts[c];
    if (waiting <= rare) continue;
    if (!levels.empty() && c - lowest < least_step) {
      levels.back() = c;  // the level below would hold little that this one can't
    } else {
      levels.push_back(c);
      lowest = c;
    }
    waiting = 0;
  }
  if (waiting != 0) levels.push_back(top);
  std::ranges::reverse(levels);
  for (int& level : levels) level = std::min(level + widening, kLargestClass);
  return levels;
}

int choose_uniform_class(const ClassCounts& counts, int dim) {
  const std::size_t total = counts.total();
  const double n = static_cast<double>(total);
  int best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  for (int cell = kSmallestClass; cell <= kLargestClass; ++cell) {
    if (counts[cell] == 0) continue;
    double cost = 0;
    std::size_t apart = 0;  // objects of too many cells, tested against all
    for (int c = kSmallestClass; c <= kLargestClass; ++c) {
      if (counts[c] == 0) continue;
      const double copies = std::pow(1 + std::ldexp(0.75, c - cell), dim);
      const double crowd = std::min(n, 1 + std::ldexp(1.0, dim * (cell - c)));
      if (copies > most_cells(total)) {
        apart += counts[c];
        cost += static_cast<double>(counts[c]) * n * kRunCost;
      } else {
        cost += static_cast<double>(counts[c]) * copies * (kCopyCost + crowd * kTestCost);
      }
    }
    if (apart > total / 2) continue;  // no grid at all
    if (cost < best_cost) {
      best_cost = cost;
      best = cell;
    }
  }
  return best;
}

double most_cells(std::size_t objects) {
  return std::max(64.0, static_cast<double>(objects) * kRunCost / kCopyCost);
}

}  // namespace winnow
