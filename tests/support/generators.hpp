// Nasty input by name: layouts that have broken some pair finder, boxes that must be refused, and frames that
// follow each other. The same name, size and seed give the same boxes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "winnow/box.hpp"

namespace winnow::test {

template <int Dim>
using BoxList = std::vector<Box<Dim>>;

// Legal boxes. Densities do not grow with n where the layout's idea allows it.
template <int Dim>
struct Layout {
  std::string name;
  BoxList<Dim> (*make)(std::size_t n, Random& random);
};
template <int Dim>
std::span<const Layout<Dim>> layouts();

// n = 0 .. 17, and one around each SIMD width and small power of two.
std::span<const std::size_t> small_sizes();

// Illegal boxes: NaNs, infinities, inverted bounds, on each axis and bound.
template <int Dim>
struct BadBox {
  std::string name;
  Box<Dim> box;
};
template <int Dim>
std::vector<BadBox<Dim>> bad_boxes();

// Frames one after another, as one method object meets them. Their sizes may differ.
template <int Dim>
struct Motion {
  std::string name;
  std::vector<BoxList<Dim>> (*make)(std::size_t n, Random& random);
};
template <int Dim>
std::span<const Motion<Dim>> motions();

}  // namespace winnow::test
