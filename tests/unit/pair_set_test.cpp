#include "methods/sweep_persistent/pair_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "support/random.hpp"

namespace winnow {
namespace {

TEST(PairSet, IsEmptyAtFirstAndHoldsNothing) {
  PairSet set;
  EXPECT_EQ(set.size(), 0u);
  EXPECT_FALSE(set.contains({1, 2}));
  EXPECT_FALSE(set.erase({1, 2}));
}

TEST(PairSet, HoldsAPairOnce) {
  PairSet set;
  EXPECT_TRUE(set.insert({1, 2}));
  EXPECT_FALSE(set.insert({1, 2}));
  EXPECT_EQ(set.size(), 1u);
  EXPECT_TRUE(set.erase({1, 2}));
  EXPECT_FALSE(set.contains({1, 2}));
}

TEST(PairSet, HoldsWhatASetHoldsThroughRandomInsertionsAndErasures) {
  test::Random random(1);
  PairSet set;
  std::set<Pair> expected;
  for (int step = 0; step < 200000; ++step) {
    // Phases of growth and of decay, on few ids: entries collide, and erasing leaves holes everywhere.
    const bool grow = random.below(100) < (step / 20000 % 2 == 0 ? 70u : 30u);
    const Pair pair{static_cast<std::uint32_t>(random.below(80)),
                    static_cast<std::uint32_t>(100 + random.below(80))};
    if (grow)
      ASSERT_EQ(set.insert(pair), expected.insert(pair).second);
    else
      ASSERT_EQ(set.erase(pair), expected.erase(pair) == 1);
    ASSERT_EQ(set.size(), expected.size());
    if (step % 1000 != 0) continue;
    std::vector<Pair> pairs(set.pairs().begin(), set.pairs().end());
    std::ranges::sort(pairs);
    ASSERT_TRUE(std::ranges::equal(pairs, expected));
    for (const Pair held : expected) ASSERT_TRUE(set.contains(held));
  }
}

TEST(PairSet, IsEmptyAfterClearAndKeepsItsRoom) {
  PairSet set;
  for (std::uint32_t i = 0; i < 1000; ++i) set.insert({i, i + 1});
  const std::size_t bytes = set.memory_bytes();
  set.clear();
  EXPECT_EQ(set.size(), 0u);
  EXPECT_FALSE(set.contains({5, 6}));
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_TRUE(set.insert({i, i + 1}));
  EXPECT_EQ(set.memory_bytes(), bytes);
}

}  // namespace
}  // namespace winnow
