#include "algo/radix_sort.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/thread_executor.hpp"
#include "winnow/pair.hpp"
#include "winnow/sink.hpp"

namespace winnow {
namespace {

template <class Key>
void expect_sorted_like_std(std::size_t n, Key mask) {
  std::mt19937_64 random(n + 1);
  Buffer<KeyedId<Key>> records(n);
  for (std::size_t i = 0; i < n; ++i)
    records[i] = {static_cast<Key>(random() & mask), static_cast<std::uint32_t>(i)};
  std::vector<KeyedId<Key>> expected(records.begin(), records.end());
  std::ranges::stable_sort(expected, {}, &KeyedId<Key>::key);
  test::ThreadExecutor executor(2);
  RadixScratch<KeyedId<Key>> scratch;
  radix_sort(records, scratch, executor);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(records[i].key, expected[i].key) << "n " << n << " at " << i;
    ASSERT_EQ(records[i].id, expected[i].id) << "n " << n << " at " << i << ": not stable";
  }
}

TEST(RadixSort, SortsAsAStableSortDoes) {
  for (const std::size_t n : {0u, 1u, 2u, 31u, 32u, 33u, 255u, 4095u, 4096u, 32768u, 70001u}) {
    expect_sorted_like_std<std::uint32_t>(n, 0xffffffffu);
    expect_sorted_like_std<std::uint64_t>(n, ~std::uint64_t{0});
  }
}

TEST(RadixSort, SkipsTheBitsThatAllKeysShare) {
  for (const std::size_t n : {33u, 5000u, 40000u}) {
    expect_sorted_like_std<std::uint64_t>(n, 0x00003fff00003fffull);
    expect_sorted_like_std<std::uint64_t>(n, 0x8000000000000001ull);
    expect_sorted_like_std<std::uint32_t>(n, 0x00f00000u);
    expect_sorted_like_std<std::uint32_t>(n, 0u);
  }
}

TEST(RadixSort, NoticesADigitThatOnlyTellsTheHalvesOfTheInputApart) {
  constexpr std::size_t n = 65536;  // each worker's keys are all the same
  Buffer<KeyedId<std::uint32_t>> records(n);
  for (std::uint32_t i = 0; i < n; ++i) records[i] = {i < n / 2 ? 7u : 3u, i};
  test::ThreadExecutor executor(2);
  RadixScratch<KeyedId<std::uint32_t>> scratch;
  radix_sort(records, scratch, executor);
  EXPECT_EQ(records[0].key, 3u);
  EXPECT_EQ(records[n - 1].key, 7u);
}

TEST(FloatKey, SortsAsFloatsDo) {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const float rising[] = {-most,     -1.5f, -1.0f, -std::numeric_limits<float>::min(),
                          -2 * tiny, -tiny, 0.0f,  tiny,
                          1.0f,      1.5f,  most};
  for (std::size_t i = 1; i < std::size(rising); ++i)
    EXPECT_LT(float_key(rising[i - 1]), float_key(rising[i])) << rising[i];
}

TEST(FloatKey, IsTheSameForBothZeros) { EXPECT_EQ(float_key(-0.0f), float_key(0.0f)); }

TEST(SortCanonical, SortsByFirstThenSecondIndex) {
  std::mt19937 random(3);
  std::vector<Pair> pairs(100000);
  for (Pair& pair : pairs)
    pair = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
  std::vector<Pair> expected = pairs;
  std::ranges::sort(expected);
  test::ThreadExecutor executor(2);
  sort_canonical(pairs, executor);
  EXPECT_EQ(pairs, expected);
}

}  // namespace
}  // namespace winnow
