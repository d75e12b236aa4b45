// Do methods find the same pairs?
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "winnow/method.hpp"

namespace winnow::record {

// How a method's pairs differ from the first method's. As multisets: a pair found twice is in excess once.
struct Disagreement {
  std::size_t method = 0;  // index of the other method
  std::vector<Pair> missing;
  std::vector<Pair> excess;
};

// Runs all methods on one frame. Gives the first method that differs from methods[0], or nothing; `found` is
// then what all of them found.
template <int Dim>
std::optional<Disagreement> first_disagreement(std::span<AnyMethod<Dim>> methods, BoxesView<Dim> boxes,
                                               Executor& executor, PairDigest& found);

}  // namespace winnow::record
