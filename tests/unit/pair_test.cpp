#include <gtest/gtest.h>

#include "winnow/pair.hpp"

namespace winnow {
namespace {

PairDigest digest_of(std::initializer_list<Pair> pairs) {
  PairDigest digest;
  for (const Pair pair : pairs) digest.add(pair);
  return digest;
}

TEST(PairDigest, IsTheSameInAnyOrder) {
  EXPECT_EQ(digest_of({{0, 1}, {2, 7}, {3, 4}}), digest_of({{3, 4}, {0, 1}, {2, 7}}));
}

TEST(PairDigest, ChangesWhenAPairIsLostDoubledOrExchanged) {
  const PairDigest digest = digest_of({{0, 1}, {2, 7}});
  EXPECT_NE(digest, digest_of({{0, 1}}));
  EXPECT_NE(digest, digest_of({{0, 1}, {2, 7}, {2, 7}}));
  EXPECT_NE(digest, digest_of({{0, 1}, {2, 6}}));
  EXPECT_NE(digest, digest_of({{0, 7}, {1, 2}}));
}

TEST(PairDigest, PrintsSixteenDigits) { EXPECT_EQ(PairDigest{}.hex(), "0000000000000000"); }

TEST(Pair, KeysSortAsPairsDo) {
  EXPECT_LT(pair_key({1, 9}), pair_key({2, 0}));
  EXPECT_LT(pair_key({1, 8}), pair_key({1, 9}));
}

}  // namespace
}  // namespace winnow
