// All overlapping pairs by a plain double loop: the measure of every method. Written on its own: it uses none
// of the library's tests, kernels or orders, only its types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "winnow/box.hpp"
#include "winnow/pair.hpp"

namespace winnow::test {

// Sorted by a, then b.
template <int Dim, class Real>
std::vector<Pair> oracle_pairs(const std::vector<Box<Dim, Real>>& boxes) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      bool apart = false;
      for (int axis = 0; axis < Dim && !apart; ++axis)
        apart = boxes[a].hi[axis] < boxes[b].lo[axis] || boxes[b].hi[axis] < boxes[a].lo[axis];
      if (!apart) pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
  }
  return pairs;
}

}  // namespace winnow::test
