// Marking where the objects of a spatial hash are, and how finely.
#include "hash_grid/occupancy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hash_grid/hash_grid_cells.hpp"

namespace winnow {

template <int Dim>
Occupancy<Dim>::Census::Census(std::size_t levels)
    : maps_(static_cast<int>(std::min<std::size_t>(levels, kMostMaps))) {
  lo_.fill(std::numeric_limits<float>::max());
  hi_.fill(std::numeric_limits<float>::lowest());
}

template <int Dim>
void Occupancy<Dim>::Census::add(const Box<Dim>& box, int level) {
  std::array<double, Dim + 1> product{1};  // of 1 + edge * x over all axes
  for (int axis = 0; axis < Dim; ++axis) {
    lo_[axis] = std::min(lo_[axis], box.lo[axis]);
    hi_[axis] = std::max(hi_[axis], box.hi[axis]);
    const double edge = double{box.hi[axis]} - box.lo[axis];
    for (int power = axis + 1; power > 0; --power) product[power] += edge * product[power - 1];
  }
  auto& sums = sums_[static_cast<std::size_t>(std::min(level, maps_ - 1))];
  for (int power = 0; power <= Dim; ++power) sums[power] += product[power];
}

// How far a map reaches before it repeats: all there is, or as far as it can, evenly.
template <int Dim>
std::array<int, Dim> Occupancy<Dim>::fold(const Census& census, double scale, int most_bits) {
  std::array<int, Dim> bits{kRowBits};
  for (int used = kRowBits; used < most_bits; ++used) {
    int worst = 0;
    double most_folds = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double folds = std::ldexp((double{census.hi_[axis]} - census.lo_[axis]) * scale, -bits[axis]);
      if (folds > most_folds) {
        most_folds = folds;
        worst = axis;
      }
    }
    if (most_folds <= 1) break;
    ++bits[worst];
  }
  return bits;
}

template <int Dim>
typename Occupancy<Dim>::Layout Occupancy<Dim>::layout(const Census& census, float scale, int most_bits) {
  Layout layout{scale, fold(census, scale, most_bits), 0, 1, 0};
  double space = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    space *= (double{census.hi_[axis]} - census.lo_[axis]) * scale + 1;
    layout.places = std::ldexp(layout.places, layout.bits[axis]);
  }
  for (int map = 0; map < census.maps_; ++map) {
    double touched = 0;
    for (int power = Dim; power >= 0; --power) touched = touched * scale + census.sums_[map][power];
    layout.touched += touched;
    layout.looks += 1 - std::exp(-touched / std::min(space, layout.places));
  }
  return layout;
}

template <int Dim>
void Occupancy<Dim>::lay_out(const Census& census, float coarsest, float finest, std::size_t bits) {
  constexpr double kWorthwhile = 0.8;  // smaller cells are more often too small for a box
  const auto maps = static_cast<std::size_t>(census.maps_);
  const int most_bits = static_cast<int>(std::bit_width(bits / maps)) - 1;
  Layout best = layout(census, coarsest, most_bits);
  for (float scale = 2 * coarsest; scale <= finest; scale *= 2) {
    const Layout finer = layout(census, scale, most_bits);
    if (finer.touched > static_cast<double>(bits)) break;  // many large objects would take long to mark
    if (finer.looks < kWorthwhile * best.looks) best = finer;
  }
  maps_ = census.maps_;
  scale_ = best.scale;
  room_ = best.touched + best.places;
  std::size_t words = maps;
  for (int axis = 0; axis < Dim; ++axis) {
    const int bits_of_rows = best.bits[axis] - (axis == 0 ? kRowBits : 0);
    masks_[axis] = (std::uint32_t{1} << bits_of_rows) - 1;
    strides_[axis] = words;
    words <<= bits_of_rows;
  }
  if (words_.capacity() > 2 * words) words_ = {};
  words_.assign(words, 0);
}

template <int Dim>
bool Occupancy<Dim>::mark_later(const Box<Dim>& box, int level) {
  At first, last;
  corner_cells<Dim>(box, scale_, first, last);
  double cells = 1;
  for (int axis = 0; axis < Dim; ++axis) cells *= static_cast<double>(last[axis]) - first[axis] + 1;
  if (cells > room_) return false;
  room_ -= cells;
  mark(box, level);
  return true;
}

template <int Dim>
void Occupancy<Dim>::mark(const Box<Dim>& box, int level) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr int kLast = (1 << kRowBits) - 1;
  At first, last;
  corner_cells<Dim>(box, scale_, first, last);
  At first_row = first, last_row = last;
  first_row[0] >>= kRowBits;
  last_row[0] >>= kRowBits;
  const auto map = static_cast<std::size_t>(std::min(level, maps_ - 1));
  for_each_cell<Dim>(first_row, last_row, [&](const At& at) {
    std::uint64_t columns = kAll;
    if (at[0] == first_row[0]) columns &= kAll << (first[0] & kLast);
    if (at[0] == last_row[0]) columns &= kAll >> (kLast - (last[0] & kLast));
    std::size_t word = map;
    for (int axis = 0; axis < Dim; ++axis) word += offset(axis, at[axis]);
    words_[word] |= columns;
  });
}

template class Occupancy<2>;
template class Occupancy<3>;

}  // namespace winnow
