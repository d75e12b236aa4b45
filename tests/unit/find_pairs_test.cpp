#include "winnow/find_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/compare.hpp"
#include "support/generators.hpp"
#include "support/oracle.hpp"
#include "winnow/error.hpp"
#include "winnow/registry.hpp"

namespace winnow {
namespace {

const std::vector<Box3> kThree = {{{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, {{3, 3, 3}, {4, 4, 4}}};

TEST(FindPairs, NeedsNothingButBoxes) { EXPECT_EQ(find_pairs(kThree), (std::vector<Pair>{{0, 1}})); }

TEST(FindPairs, OfNothingIsNothing) {
  EXPECT_TRUE(find_pairs(std::vector<Box3>{}).empty());
  EXPECT_TRUE(find_pairs(std::vector<DoubleBox2>{}).empty());
  EXPECT_TRUE(find_pairs<2>(BoxesView<2>()).empty());
}

TEST(FindPairs, SortsOnRequest) {
  test::Random random(1);
  const auto boxes = test::layouts<3>().front().make(300, random);
  EXPECT_EQ(find_pairs(boxes, {.order = PairOrder::canonical}), test::oracle_pairs(boxes));
}

TEST(FindPairs, TakesAFilterAMethodAndThreads) {
  test::Random random(2);
  const auto boxes = test::layouts<2>().front().make(300, random);
  const auto keep = [](Pair pair) { return pair.b % 2 == 0; };
  std::vector<Pair> expected;
  for (const Pair pair : test::oracle_pairs(boxes))
    if (keep(pair)) expected.push_back(pair);
  for (const MethodEntry& entry : methods())
    EXPECT_EQ(test::difference(expected, find_pairs(boxes, {.method = entry.info.name, .filter = keep})), "");
  EXPECT_EQ(test::difference(expected, find_pairs(boxes, {.threads = 0, .filter = keep})), "");
}

// Overlaps that floats cannot tell from gaps, and bounds that floats do not reach.
TEST(FindPairs, IsExactForDoubles) {
  const double next = std::nextafter(1.0, 2.0);
  const std::vector<DoubleBox2> near_one = {{{0, 0}, {1, 1}}, {{1, 0}, {2, 1}}, {{next, 0}, {2, 1}}};
  EXPECT_EQ(find_pairs(near_one, {.order = PairOrder::canonical}), (std::vector<Pair>{{0, 1}, {1, 2}}));
  const std::vector<DoubleBox2> beyond_floats = {
      {{1e50, 0}, {2e50, 1}}, {{2e50, 0}, {3e50, 1}}, {{3.5e50, 0}, {4e50, 1}}, {{-1e300, 0}, {1e300, 1}}};
  EXPECT_EQ(find_pairs(beyond_floats, {.order = PairOrder::canonical}),
            (std::vector<Pair>{{0, 1}, {0, 3}, {1, 3}, {2, 3}}));

  test::Random random(3);
  std::vector<DoubleBox3> boxes;
  for (int i = 0; i < 400; ++i) {
    DoubleBox3 box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = static_cast<double>(random.below(6)) + 1e-12 * static_cast<double>(random.below(3));
      box.hi[axis] = box.lo[axis] + 1 + 1e-12 * static_cast<double>(random.below(3));
    }
    boxes.push_back(box);
  }
  for (const MethodEntry& entry : methods()) {
    EXPECT_EQ(test::difference(test::oracle_pairs(boxes), find_pairs(boxes, {.method = entry.info.name})), "")
        << entry.info.name;
  }
}

TEST(FindPairs, FiltersDoublesToo) {
  const std::vector<DoubleBox2> boxes(4, DoubleBox2{{0, 0}, {1, 1}});
  EXPECT_EQ(find_pairs(boxes, {.filter = [](Pair pair) { return pair.a == 2; }}),
            (std::vector<Pair>{{2, 3}}));
}

TEST(FindPairs, RefusesBadBoxesOfEitherKind) {
  std::vector<DoubleBox2> boxes(4, DoubleBox2{{0, 0}, {1, 1}});
  boxes[2].lo[1] = 2;
  try {
    find_pairs(boxes);
    FAIL() << "accepted an inverted box";
  } catch (const Error& error) {
    EXPECT_EQ(error.index(), 2u);
  }
  EXPECT_THROW(find_pairs(std::vector<Box3>{{{1, 0, 0}, {0, 0, 0}}}), Error);
}

TEST(FindPairs, RefusesUnknownMethodsOptionsAndThreads) {
  EXPECT_THROW(find_pairs(kThree, {.method = "magic"}), Error);
  EXPECT_THROW(find_pairs(kThree, {.settings = {{"magic", "on"}}}), Error);
  EXPECT_THROW(find_pairs(kThree, {.threads = 1'000'000}), Error);
}

TEST(Registry, HasTheOracleFirstAndADefault) {
  ASSERT_FALSE(methods().empty());
  EXPECT_EQ(methods().front().info.name, "brute_force");
  EXPECT_EQ(find_method(default_method()).info.name, default_method());
}

TEST(Registry, KnowsEachMethodByOneName) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    names.push_back(entry.info.name);
    EXPECT_FALSE(entry.info.summary.empty()) << entry.info.name;
    EXPECT_EQ(make_method<2>(entry.info.name).info().name, entry.info.name);
    EXPECT_EQ(make_method<3>(entry.info.name).info().name, entry.info.name);
    for (const OptionInfo& option : entry.options) {
      EXPECT_FALSE(option.help.empty()) << entry.info.name << ", " << option.name;
      EXPECT_NO_THROW(make_method<3>(entry.info.name, {{option.name, option.default_value}}))
          << entry.info.name << ", " << option.name << "=" << option.default_value;
    }
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Registry, AnswersAnUnknownNameWithTheList) {
  try {
    find_method("magic");
    FAIL() << "found magic";
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "method");
    for (const MethodEntry& entry : methods())
      EXPECT_NE(std::string(error.what()).find(entry.info.name), std::string::npos);
  }
}

}  // namespace
}  // namespace winnow
