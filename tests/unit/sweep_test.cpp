#include "winnow/methods/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "algo/sorted_boxes.hpp"
#include "algo/variance.hpp"
#include "simd/sweep.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/thread_executor.hpp"
#include "winnow/find_pairs.hpp"
#include "winnow/simd.hpp"

namespace winnow {
namespace {

using test::kMost;
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

// Boxes on few coordinates, hostile ones among them: many ties, both zeros, denormals, the largest floats.
template <int Dim>
std::vector<Box<Dim>> hostile_boxes(std::size_t n, unsigned seed) {
  constexpr float values[] = {-kMost, -2.0f, -1.0f, -kTiny, -0.0f, 0.0f,
                              kTiny,  0.5f,  1.0f,  2.0f,   3.0f,  kMost};
  std::mt19937 random(seed);
  std::vector<Box<Dim>> boxes(n);
  for (Box<Dim>& box : boxes)
    for (int axis = 0; axis < Dim; ++axis) {
      const float a = values[random() % std::size(values)];
      const float b = random() % 2 ? a : values[random() % std::size(values)];
      box.lo[axis] = std::min(a, b);
      box.hi[axis] = std::max(a, b);
    }
  return boxes;
}

template <int Dim>
std::vector<Box<Dim>> random_boxes(std::size_t n, unsigned seed, float extent) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> position(-1, 1);
  std::vector<Box<Dim>> boxes(n);
  for (Box<Dim>& box : boxes)
    for (int axis = 0; axis < Dim; ++axis) {
      box.lo[axis] = position(random);
      box.hi[axis] = box.lo[axis] + extent;
    }
  return boxes;
}

// What `sweep(writer)` wrote and counted.
struct Swept {
  std::vector<Pair> pairs;
  std::uint64_t tested;
};
template <class Sweeping>
Swept swept(Sweeping sweep) {
  SerialExecutor executor;
  CollectSink sink;
  sink.open(1);
  const std::uint64_t tested = sweep(sink.writer(0));
  sink.close();
  Swept result{sink.join(executor), tested};
  std::ranges::sort(result.pairs);
  return result;
}
void expect_same(const Swept& a, const Swept& b) {
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.tested, b.tested);
}

template <class T>
class SweepKernels : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(SweepKernels, Dims);

TYPED_TEST(SweepKernels, AgreeWithTheirScalarTwinsAtEveryLevelAndLength) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  const SimdLevel best = simd_level();
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    for (std::size_t n = 0; n < 70; ++n) {
      SortedBoxes<Dim> sorted;
      const auto boxes = hostile_boxes<Dim>(n, static_cast<unsigned>(n));
      sorted.assign(boxes, static_cast<int>(n % Dim), executor);
      const SortedRun<Dim> all = sorted.run();
      // Parts of the columns, so that what lies past their ends is not padding.
      const SortedRun<Dim> some{all.columns, all.ids, n / 5, n - n / 7};
      const SortedRun<Dim> first{all.columns, all.ids, 0, n / 2}, second{all.columns, all.ids, n / 2, n};
      const auto other = hostile_boxes<Dim>(n / 2 + 3, static_cast<unsigned>(1000 + n));
      SortedBoxes<Dim> other_sorted;
      other_sorted.assign(other, static_cast<int>(n % Dim), executor);

      expect_same(
          swept([&](PairWriter& w) { return sweep_run(some, (some.begin + some.end) / 2, w); }),
          swept([&](PairWriter& w) { return sweep_run_scalar(some, (some.begin + some.end) / 2, w); }));
      expect_same(swept([&](PairWriter& w) { return sweep_two_runs(first, second, w); }),
                  swept([&](PairWriter& w) { return sweep_two_runs_scalar(first, second, w); }));
      expect_same(swept([&](PairWriter& w) { return sweep_two_runs(other_sorted.run(), all, w); }),
                  swept([&](PairWriter& w) { return sweep_two_runs_scalar(other_sorted.run(), all, w); }));
      for (const double longest : {2.0 * static_cast<double>(kMost), 1.0}) {
        expect_same(
            swept([&](PairWriter& w) { return sweep_rows(other_sorted.run(), some, longest, w); }),
            swept([&](PairWriter& w) { return sweep_rows_scalar(other_sorted.run(), some, longest, w); }));
      }
      expect_same(swept([&](PairWriter& w) { return sweep_box(other[0], 9u, some, w); }),
                  swept([&](PairWriter& w) { return sweep_box_scalar(other[0], 9u, some, w); }));
    }
  }
  set_simd_level(best);
}

TYPED_TEST(SweepKernels, OneRunAndTwoRunsTogetherFindEveryPairOnce) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  const auto boxes = hostile_boxes<Dim>(600, 5);  // rows longer than a block of the kernel
  SortedBoxes<Dim> sorted;
  sorted.assign(boxes, 1, executor);
  const SortedRun<Dim> all = sorted.run();
  const Swept whole = swept([&](PairWriter& w) { return sweep_run(all, all.end, w); });
  EXPECT_EQ(whole.pairs, test::oracle_pairs(boxes));

  const SortedRun<Dim> first{all.columns, all.ids, 0, 250}, second{all.columns, all.ids, 250, 600};
  const Swept parts = swept([&](PairWriter& w) {
    return sweep_run(first, first.end, w) + sweep_run(second, second.end, w) +
           sweep_two_runs(first, second, w);
  });
  EXPECT_EQ(parts.pairs, whole.pairs);
}

TYPED_TEST(SweepKernels, RowsOfOneRunFindThePairsOfTwoRuns) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  SortedBoxes<Dim> few, many;
  for (const float extent : {0.0f, 0.1f, 1.0f}) {
    few.assign(random_boxes<Dim>(50, 6, 0.3f), 1, executor);
    many.assign(random_boxes<Dim>(500, 7, extent), 1, executor);
    double longest = 0;  // exact: floats of one size
    const SortedRun<Dim> run = many.run();
    for (std::size_t i = 0; i < run.end; ++i)
      longest = std::max(
          longest, static_cast<double>(run.columns.hi[0][i]) - static_cast<double>(run.columns.lo[0][i]));
    const auto rows = swept([&](PairWriter& w) { return sweep_rows(few.run(), run, longest, w); }).pairs;
    EXPECT_EQ(rows, swept([&](PairWriter& w) { return sweep_two_runs(few.run(), run, w); }).pairs);
    EXPECT_FALSE(rows.empty());
  }
}

TYPED_TEST(SweepKernels, ABoxBeginningInsideARunMeetsThoseThatBeganBeforeIt) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  auto boxes = random_boxes<Dim>(300, 4, 0.8f);
  SortedBoxes<Dim> sorted;
  sorted.assign(boxes, 0, executor);
  boxes.push_back(random_boxes<Dim>(1, 77, 0.8f)[0]);
  std::vector<Pair> expected = test::oracle_pairs(boxes);
  std::erase_if(expected, [](Pair pair) { return pair.b != 300; });
  EXPECT_EQ(swept([&](PairWriter& w) { return sweep_box(boxes[300], 300u, sorted.run(), w); }).pairs,
            expected);
}

TEST(AxisOfGreatestVariance, IsTheAxisBoxesAreSpreadAlong) {
  SerialExecutor executor;
  for (int spread = 0; spread < 3; ++spread) {
    std::vector<Box3> boxes = random_boxes<3>(1000, 1, 0.1f);
    for (Box3& box : boxes) {
      box.lo[spread] *= 1.5f;
      box.hi[spread] *= 1.5f;
    }
    EXPECT_EQ(axis_of_greatest_variance<3>(boxes, executor), spread);
  }
}

TEST(AxisOfGreatestVariance, SeesASmallSpreadFarFromTheOrigin) {
  SerialExecutor executor;
  std::vector<Box3> boxes;
  for (int i = 0; i < 100; ++i) {  // one ulp at 1e9 is 64
    const float x = 1e9f, y = 1e9f + 64.0f * static_cast<float>(i % 10), z = static_cast<float>(i % 2);
    boxes.push_back({{x, y, z}, {x, y, z}});
  }
  EXPECT_EQ(axis_of_greatest_variance<3>(boxes, executor), 1);
}

TEST(AxisOfGreatestVariance, DoesNotOverflowOnTheLargestFloats) {
  SerialExecutor executor;
  const std::vector<Box3> boxes = {{{-1, -kMost, -kMost / 2}, {1, -kMost, -kMost / 2}},
                                   {{-1, kMost, kMost / 2}, {1, kMost, kMost / 2}}};
  EXPECT_EQ(axis_of_greatest_variance<3>(boxes, executor), 1);
}

TEST(Sweep, FindsThePairsOfTheOracleWithEitherScheme) {
  for (const char* scheme : {"sorted", "all_pairs"})
    for (const std::size_t n : {0u, 1u, 2u, 17u, 300u, 3000u}) {
      const auto boxes = random_boxes<3>(n, 8, 0.2f);
      const FindOptions options{
          .method = "sweep", .settings = {{"scheme", scheme}}, .order = PairOrder::canonical};
      EXPECT_EQ(find_pairs(boxes, options), test::oracle_pairs(boxes)) << scheme << " n " << n;
    }
}

TEST(Sweep, SharesTheWorkAmongThreadsWithoutLosingOrDoublingPairs) {
  // Long rows at one end, short ones at the other: shares of very different length.
  std::vector<Box2> boxes = random_boxes<2>(5000, 6, 0.01f);
  for (std::size_t i = 0; i < 100; ++i) boxes[i] = {{-1.1f, boxes[i].lo[1]}, {0.9f, boxes[i].hi[1]}};
  test::ThreadExecutor executor(3);
  for (const SweepScheme scheme : {SweepScheme::sorted, SweepScheme::all_pairs}) {
    Sweep<2> sweep({.scheme = scheme});
    CanonicalSink sink(executor);
    sweep.update(boxes, executor);
    sink.open(executor.workers());
    sweep.find_pairs(executor, sink);
    sink.close();
    EXPECT_EQ(sink.pairs(), test::oracle_pairs(boxes));
  }
}

TEST(Sweep, ComparesOnlyBoxesThatOverlapOnItsAxis) {
  std::vector<Box2> boxes;  // a row along y: no two overlap on y
  for (int i = 0; i < 1000; ++i) {
    const float y = static_cast<float>(i);
    boxes.push_back({{0, y}, {1, y + 0.5f}});
  }
  SerialExecutor executor;
  Sweep<2> sweep({});
  CountSink sink;
  sweep.update(boxes, executor);
  sink.open(1);
  sweep.find_pairs(executor, sink);
  EXPECT_EQ(sweep.stats().candidates, 0u);
}

}  // namespace
}  // namespace winnow
