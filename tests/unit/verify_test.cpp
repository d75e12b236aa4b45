#include "record/verify.hpp"

#include <gtest/gtest.h>

#include "winnow/methods/brute_force.hpp"

namespace winnow::record {
namespace {

// Finds what it is told to, whatever the boxes.
class Told {
 public:
  using Options = NoOptions;
  explicit Told(const Options&) {}
  explicit Told(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {}

  static MethodInfo info() { return {.name = "told", .summary = "", .paper = ""}; }
  static const OptionTable<Options>& option_table() { return Options::table(); }
  void update(BoxesView<3>, Executor&) {}
  void find_pairs(Executor&, PairSink& sink) {
    for (const Pair pair : pairs_) sink.writer(0).write(pair);
  }
  MethodStats stats() const { return {.details = {}}; }

 private:
  std::vector<Pair> pairs_;
};

// Boxes 0, 1 and 2 overlap, 3 is apart.
const std::vector<Box3> kBoxes = {
    {{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, {{5, 5, 5}, {6, 6, 6}}};

std::optional<Disagreement> compared(std::vector<Pair> pairs, PairDigest& found) {
  SerialExecutor executor;
  std::vector<AnyMethod<3>> methods;
  methods.push_back(AnyMethod<3>::of(BruteForce<3>({})));
  methods.push_back(AnyMethod<3>::of(BruteForce<3>({})));
  methods.push_back(AnyMethod<3>::of(Told(std::move(pairs))));
  return first_disagreement<3>(methods, BoxesView<3>(kBoxes), executor, found);
}

TEST(Verify, AgreesOnEqualSetsInAnyOrder) {
  PairDigest found;
  EXPECT_FALSE(compared({{1, 2}, {0, 1}, {0, 2}}, found));
  EXPECT_EQ(found.count, 3u);
}

TEST(Verify, TellsWhichMethodLacksWhichPair) {
  PairDigest found;
  const auto difference = compared({{0, 1}, {1, 2}}, found);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->method, 2u);
  EXPECT_EQ(difference->missing, (std::vector<Pair>{{0, 2}}));
  EXPECT_TRUE(difference->excess.empty());
}

TEST(Verify, TellsOfPairsThatDoNotOverlapAndOfPairsFoundTwice) {
  PairDigest found;
  const auto difference = compared({{0, 1}, {0, 2}, {1, 2}, {1, 2}, {2, 3}}, found);
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->missing.empty());
  EXPECT_EQ(difference->excess, (std::vector<Pair>{{1, 2}, {2, 3}}));
}

TEST(Verify, IsNotFooledByAnExchangedPair) {
  PairDigest found;
  const auto difference = compared({{0, 1}, {0, 2}, {1, 3}}, found);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->missing, (std::vector<Pair>{{1, 2}}));
  EXPECT_EQ(difference->excess, (std::vector<Pair>{{1, 3}}));
}

}  // namespace
}  // namespace winnow::record
