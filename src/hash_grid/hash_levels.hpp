// Which cell sizes a spatial hash uses: powers of two, found from the boxes.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "winnow/box.hpp"

namespace winnow {

// Size classes: from the smallest float whose reciprocal is one (boxes of denormal floats are of its class)
// to the widest box (two times FLT_MAX).
inline constexpr int kSmallestClass = -126;
inline constexpr int kLargestClass = 129;

// How many objects there are of each class.
class ClassCounts {
 public:
  std::size_t& operator[](int size_class) {
    return counts_[static_cast<std::size_t>(size_class - kSmallestClass)];
  }
  std::size_t operator[](int size_class) const {
    return counts_[static_cast<std::size_t>(size_class - kSmallestClass)];
  }
  std::size_t total() const;

 private:
  std::array<std::size_t, kLargestClass - kSmallestClass + 1> counts_{};
};

// The class c of a box: 2^c is the smallest power of two not below its longest edge (equation 2 of Pouchol et
// al.), nor below the spacing of floats where it lies. So an object's cell coordinates at its class never
// exceed 2^24.
template <int Dim>
int class_of(const Box<Dim>& box);

// Classes that get a level, largest first. A class of few objects joins the next larger level, so that
// queries do not pay for a level that holds next to nothing. Widened, cells are 2^widening times as large and
// levels further apart.
std::vector<int> choose_levels(const ClassCounts& counts, int widening);

// The one cell size of a uniform hash: the cheapest by an estimate of copies (objects larger than a cell) and
// tests (objects smaller than a cell).
int choose_uniform_class(const ClassCounts& counts, int dim);

// Cells an object may cover before it is kept in a list of its own and tested against everything.
double most_cells(std::size_t objects);

}  // namespace winnow
