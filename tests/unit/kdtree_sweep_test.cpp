#include "winnow/methods/kdtree_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "kdtree_sweep_boxes.hpp"
#include "methods/kdtree_sweep/kd_tree.hpp"
#include "support/compare.hpp"
#include "support/oracle.hpp"
#include "support/sanitized.hpp"
#include "support/thread_executor.hpp"

namespace winnow {
namespace {

using test::BoxList;
using test::jitter;
using test::Random;
using test::scattered;

template <int Dim>
std::vector<Pair> pairs_of(KdtreeSweep<Dim>& method, const BoxList<Dim>& boxes) {
  SerialExecutor executor;
  CollectSink sink;
  method.update(boxes, executor);
  sink.open(1);
  method.find_pairs(executor, sink);
  sink.close();
  return sink.join(executor);
}

TEST(KdtreeSweep, CostIsOneWhenNothingIsDividedAndNoneForEvenHalves) {
  EXPECT_DOUBLE_EQ(kdtree_sweep::split_cost(1000, 0, 0), 1);
  EXPECT_DOUBLE_EQ(kdtree_sweep::split_cost(0, 1000, 0), 1);
  EXPECT_DOUBLE_EQ(kdtree_sweep::split_cost(0, 500, 500), 0);
  EXPECT_DOUBLE_EQ(kdtree_sweep::split_balance(0, 500, 500), 1);
  EXPECT_DOUBLE_EQ(kdtree_sweep::split_balance(100, 200, 500), 200.0 / 600);
}

TEST(KdtreeSweep, TestsFarFewerPairsThanThereAre) {
  Random random(7);
  const BoxList<3> boxes = scattered<3>(10000, 0.02, random);
  KdtreeSweep<3> method({});
  const auto found = pairs_of(method, boxes);
  EXPECT_EQ(test::difference(test::oracle_pairs(boxes), found), "");
  EXPECT_LT(method.stats().candidates, 10000u * 100u);
}

// ---- resting and moving

constexpr KdtreeSweepMode kResting[] = {KdtreeSweepMode::incremental, KdtreeSweepMode::adaptive};

std::string detail_of(const MethodStats& stats, const std::string& name) {
  for (const Stat& stat : stats.details)
    if (stat.name == name)
      return std::holds_alternative<double>(stat.value) ? std::to_string(std::get<double>(stat.value))
                                                        : std::get<std::string>(stat.value);
  return "";
}

double resting(const MethodStats& stats) { return std::stod(detail_of(stats, "resting")); }

TEST(KdtreeSweep, FindsThePairsOfObjectsThatNeverMove) {
  Random random(11);
  const BoxList<3> boxes = scattered<3>(3000, 0.1, random);
  const auto expected = test::oracle_pairs(boxes);
  for (const KdtreeSweepMode mode : kResting) {
    KdtreeSweep<3> method({.mode = mode, .leaf_capacity = 64});
    for (int frame = 0; frame < 5; ++frame)
      EXPECT_EQ(test::difference(expected, pairs_of(method, boxes)), "") << "frame " << frame;
    EXPECT_EQ(detail_of(method.stats(), "way"), "incremental");
    EXPECT_EQ(method.stats().candidates, 0u);
  }
}

TEST(KdtreeSweep, DeliversNoPairOfEnlargedBoxes) {
  // Boxes in a row, apart by less than the margin, that tremble within it: now they touch, now they do not.
  Random random(12);
  KdtreeSweep<2> method({.mode = KdtreeSweepMode::incremental, .leaf_capacity = 8, .margin = 0.5});
  std::size_t pairs = 0, frames_at_rest = 0;
  for (int frame = 0; frame < 100; ++frame) {
    BoxList<2> boxes(200);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const float x = static_cast<float>(i) * 1.1f + random.uniform(-0.1, 0.1);
      boxes[i] = {{x, 0}, {x + 1, 1}};
    }
    const auto expected = test::oracle_pairs(boxes);
    ASSERT_EQ(test::difference(expected, pairs_of(method, boxes)), "");
    pairs += expected.size();
    frames_at_rest += resting(method.stats()) > 0.99;
  }
  EXPECT_GT(pairs, 1000u);
  EXPECT_LT(pairs, 19000u);
  EXPECT_GE(frames_at_rest, 99u);  // all but the first
}

TEST(KdtreeSweep, SeesBoxesThatShrinkWithinTheirMargins) {
  KdtreeSweep<2> method({.mode = KdtreeSweepMode::incremental, .margin = 0.4});
  const BoxList<2> touching = {{{0, 0}, {1, 1}}, {{1, 0}, {2, 1}}};
  const BoxList<2> apart = {{{0, 0}, {0.9f, 1}}, {{1, 0}, {2, 1}}};
  const BoxList<2> inside = {{{0, 0}, {1, 1}}, {{0.5f, 0.5f}, {0.6f, 0.6f}}};
  for (const BoxList<2>* boxes : {&touching, &apart, &touching, &inside, &apart, &touching})
    EXPECT_EQ(test::difference(test::oracle_pairs(*boxes), pairs_of(method, *boxes)), "");
}

TEST(KdtreeSweep, AnswersTheSameWhenAskedTwiceAndWhenNotAsked) {
  Random random(13);
  SerialExecutor executor;
  BoxList<3> boxes = scattered<3>(1000, 0.1, random);
  for (const KdtreeSweepMode mode : kResting) {
    KdtreeSweep<3> method({.mode = mode, .leaf_capacity = 16});
    for (int frame = 0; frame < 40; ++frame) {
      for (int k = 0; k < 20; ++k) boxes[random.below(boxes.size())].lo[0] -= 0.01f;
      if (frame % 3 == 1) {  // what moved here must not be forgotten
        method.update(boxes, executor);
        continue;
      }
      const auto expected = test::oracle_pairs(boxes);
      ASSERT_EQ(test::difference(expected, pairs_of(method, boxes)), "");
      CollectSink again;
      again.open(1);
      method.find_pairs(executor, again);
      again.close();
      ASSERT_EQ(test::difference(expected, again.join(executor)), "");
    }
  }
}

TEST(KdtreeSweep, RecoversFromASinkThatThrows) {
  Random random(14);
  SerialExecutor executor;
  BoxList<3> boxes = scattered<3>(2000, 0.1, random);
  KdtreeSweep<3> method({.mode = KdtreeSweepMode::incremental, .leaf_capacity = 32});
  for (int frame = 0; frame < 6; ++frame) {
    jitter(boxes, 0.001, random);
    method.update(boxes, executor);
    CallbackSink refusing([](std::size_t, std::span<const Pair>) { throw std::runtime_error("no room"); });
    refusing.open(1);
    EXPECT_THROW(
        {
          method.find_pairs(executor, refusing);
          refusing.close();
        },
        std::runtime_error);
    EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, boxes)), "");
  }
}

TEST(KdtreeSweep, AdaptiveIsIncrementalWhileMostRest) {
  Random random(15);
  BoxList<3> boxes = scattered<3>(2000, 0.05, random);
  KdtreeSweep<3> method({.mode = KdtreeSweepMode::adaptive, .leaf_capacity = 64, .resting_share = 0.6});
  const auto way_after = [&](int frames, std::size_t movers) {
    for (int frame = 0; frame < frames; ++frame) {
      for (std::size_t i = 0; i < movers; ++i)
        for (int axis = 0; axis < 3; ++axis) {
          const float by = random.uniform(-0.1, 0.1);
          boxes[i].lo[axis] += by;
          boxes[i].hi[axis] += by;
        }
      EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, boxes)), "");
    }
    return detail_of(method.stats(), "way");
  };
  EXPECT_EQ(way_after(3, 2000), "complete");
  EXPECT_EQ(way_after(4, 200), "incremental");  // 90 % rest
  EXPECT_EQ(way_after(4, 1000), "complete");    // 50 % rest
  EXPECT_EQ(way_after(4, 700), "incremental");  // 65 % rest
  EXPECT_EQ(way_after(4, 2000), "complete");
}

TEST(KdtreeSweep, DoesNotRememberMorePairsThanItCanAfford) {
  const BoxList<2> boxes(5000, Box2{{0, 0}, {1, 1}});  // 12.5 million pairs
  KdtreeSweep<2> method({.mode = KdtreeSweepMode::adaptive});
  SerialExecutor executor;
  for (int frame = 0; frame < 4; ++frame) {
    method.update(boxes, executor);
    CountSink count;
    count.open(1);
    method.find_pairs(executor, count);
    count.close();
    EXPECT_EQ(count.count(), 5000u * 4999u / 2);
  }
  EXPECT_LT(method.stats().memory_bytes, 5000u * 1000u);
}

// Objects come, go, tremble, walk, jump, grow and shrink; after each single operation the pairs are compared.
template <int Dim>
void operate(KdtreeSweepMode mode, std::size_t operations, std::uint64_t seed) {
  constexpr std::size_t kMostBoxes = 24;
  Random random(seed);
  SerialExecutor executor;
  KdtreeSweep<Dim> method({.mode = mode, .leaf_capacity = 3, .margin = 0.1});
  BoxList<Dim> boxes;
  DigestSink found;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < operations; ++i) {
    const std::size_t kind = random.below(16);
    if (boxes.empty() || (kind == 0 && boxes.size() < kMostBoxes)) {
      boxes.push_back(scattered<Dim>(1, 0.5, random)[0]);
    } else {
      Box<Dim>& box = boxes[random.below(boxes.size())];
      const int axis = static_cast<int>(random.below(Dim));
      const float step = kind < 10 ? random.uniform(-0.02, 0.02) : random.uniform(-0.3, 0.3);
      if (kind == 1) {
        box = boxes.back();
        boxes.pop_back();
      } else if (kind == 2) {
        box = scattered<Dim>(1, 0.5, random)[0];
      } else if (kind == 3) {
        box.hi[axis] = std::max(box.lo[axis], box.hi[axis] + step);
      } else {
        box.lo[axis] += step;
        box.hi[axis] = std::max(box.lo[axis], box.hi[axis] + step);
      }
    }
    method.update(boxes, executor);
    found.open(1);
    method.find_pairs(executor, found);
    found.close();
    PairDigest expected;
    for (std::uint32_t a = 0; a < boxes.size(); ++a)
      for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
        if (overlaps(boxes[a], boxes[b])) expected.add(Pair{a, b});
    ASSERT_EQ(found.digest(), expected) << "operation " << i;
    ASSERT_EQ(method.validate(), "") << "operation " << i;
    pairs += expected.count;
  }
  EXPECT_GT(pairs, operations);
}

constexpr std::size_t kOperations = test::kSanitized ? 20'000 : 1'000'000;

TEST(KdtreeSweep, IncrementalIsExactAfterEveryOneOfAMillionOperations) {
  operate<3>(KdtreeSweepMode::incremental, kOperations, 21);
}
TEST(KdtreeSweep, AdaptiveIsExactAfterEveryOperation) {
  operate<2>(KdtreeSweepMode::adaptive, kOperations / 10, 22);
}

// Shares of the objects that tremble or walk, in scenes large enough for every way of a node: searched live,
// learned, mended by tests of a few and by sweeps of many.
TEST(KdtreeSweep, IsExactAtEveryShareOfRestingObjects) {
  SerialExecutor one;
  test::ThreadExecutor three(3);
  for (const KdtreeSweepPruning pruning : {KdtreeSweepPruning::both, KdtreeSweepPruning::tree}) {
    Random random(31);
    BoxList<3> boxes = scattered<3>(3000, 0.12, random);
    KdtreeSweep<3> method(
        {.mode = KdtreeSweepMode::incremental, .leaf_capacity = 1500, .margin = 0.05, .pruning = pruning});
    for (const std::size_t movers : {0u, 0u, 5u, 3000u, 100u, 0u, 300u, 299u, 600u, 0u, 0u, 20u, 350u, 1u}) {
      for (std::size_t k = 0; k < movers; ++k) {
        Box3& box = boxes[random.below(boxes.size())];
        const float step = k % 3 == 0 ? random.uniform(-0.001, 0.001) : random.uniform(-0.1, 0.1);
        for (int axis = 0; axis < 3; ++axis) {
          box.lo[axis] += step;
          box.hi[axis] += step;
        }
      }
      Executor& executor = movers % 2 == 0 ? static_cast<Executor&>(one) : three;
      CollectSink sink;
      method.update(boxes, executor);
      ASSERT_EQ(method.validate(), "");
      sink.open(executor.workers());
      method.find_pairs(executor, sink);
      sink.close();
      ASSERT_EQ(test::difference(test::oracle_pairs(boxes), sink.join(one)), "") << movers << " movers";
    }
  }
}

TEST(KdtreeSweep, ABadBoxLeavesWhatRestsAsItWas) {
  Random random(32);
  SerialExecutor executor;
  const BoxList<3> boxes = scattered<3>(500, 0.2, random);
  const auto expected = test::oracle_pairs(boxes);
  for (const KdtreeSweepMode mode : kResting) {
    KdtreeSweep<3> method({.mode = mode, .leaf_capacity = 32});
    for (int frame = 0; frame < 6; ++frame) {
      EXPECT_EQ(test::difference(expected, pairs_of(method, boxes)), "") << "frame " << frame;
      BoxList<3> bad = scattered<3>(700, 0.2, random);
      bad[400].hi[1] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_THROW(method.update(bad, executor), Error);
      CollectSink again;
      again.open(1);
      method.find_pairs(executor, again);
      again.close();
      EXPECT_EQ(test::difference(expected, again.join(executor)), "") << "frame " << frame;
    }
  }
}

TEST(KdtreeSweep, TakesBoxesFromAnyLayoutInTurn) {
  Random random(33);
  SerialExecutor executor;
  BoxList<3> boxes = scattered<3>(800, 0.15, random);
  KdtreeSweep<3> method({.mode = KdtreeSweepMode::incremental, .leaf_capacity = 64});
  for (int frame = 0; frame < 12; ++frame) {
    if (frame % 4 == 3)
      for (int k = 0; k < 50; ++k) boxes[random.below(boxes.size())].lo[0] -= 0.05f;
    const Boxes<3> columns(boxes);
    const BoxesView<3> in_columns({columns.lo(0), columns.lo(1), columns.lo(2)},
                                  {columns.hi(0), columns.hi(1), columns.hi(2)}, columns.size());
    method.update(frame % 2 == 0 ? BoxesView<3>(boxes) : in_columns, executor);
    CollectSink sink;
    sink.open(1);
    method.find_pairs(executor, sink);
    sink.close();
    ASSERT_EQ(test::difference(test::oracle_pairs(boxes), sink.join(executor)), "") << "frame " << frame;
  }
}

TEST(KdtreeSweep, DeepTreesNeedNoDeepStack) {
  // Each box far beyond all before it: planes split off one after another.
  BoxList<2> boxes;
  for (int i = -60; i < 60; ++i)
    for (int k = 0; k < 40; ++k) {
      const float x = std::ldexp(1.0f + static_cast<float>(k) / 64, i);
      boxes.push_back({{x, 0}, {x, 1}});
      boxes.push_back({{-x, 0}, {-x * 0.99f, 1}});
    }
  KdtreeSweep<2> method({.mode = KdtreeSweepMode::complete, .leaf_capacity = 1});
  EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, boxes)), "");
  EXPECT_EQ(method.validate(), "");
}

}  // namespace
}  // namespace winnow
