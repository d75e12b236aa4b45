// Sets of pairs compared, with a difference that people can read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "winnow/pair.hpp"

namespace winnow::test {

// Empty when `found`, in any order, is exactly the sorted `expected`; else one line that tells of missing,
// unexpected, doubled, self and unordered pairs. Each call counts as one comparison with the oracle.
std::string difference(const std::vector<Pair>& expected, std::vector<Pair> found);

// Comparisons made by this process; printed when the tests end.
std::uint64_t oracle_comparisons();

// Those made so far were tests of the tests, not of methods: they do not count.
void forget_oracle_comparisons();

}  // namespace winnow::test
