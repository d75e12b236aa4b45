#include "winnow/methods/linear_kdtree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "methods/linear_kdtree/code_space.hpp"
#include "methods/linear_kdtree/splitter.hpp"
#include "support/compare.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"
#include "support/thread_executor.hpp"
#include "winnow/registry.hpp"

namespace winnow::linear_kdtree {
namespace {

using test::Random;
using Options = LinearKdtreeOptions;
using List = std::vector<Box3>;

const Box3 kUnitSpace = {{0, 0, 0}, {1, 1, 1}};

Box3 box_at(float x, float y, float z, float w, float h, float d) {
  return {{x, y, z}, {x + w, y + h, z + d}};
}

// The paper's spheres, as boxes: diameter 1, their volume `d` of the space they are in.
List spheres(std::size_t n, double d, std::uint64_t seed = 1) {
  Random random(seed);
  const double side = std::cbrt(static_cast<double>(n) * 0.5235987755982989 / d);
  List boxes(n);
  for (Box3& box : boxes)
    box = box_at(random.uniform(0, side), random.uniform(0, side), random.uniform(0, side), 1, 1, 1);
  return boxes;
}

double detail_of(const LinearKdtree<3>& method, const std::string& name) {
  for (const Stat& stat : method.stats().details)
    if (stat.name == name) return std::get<double>(stat.value);
  ADD_FAILURE() << "no statistic " << name;
  return 0;
}

std::vector<Pair> pairs_of(LinearKdtree<3>& method, const List& boxes, Executor& executor) {
  method.update(boxes, executor);
  CollectSink sink;
  sink.open(executor.workers());
  method.find_pairs(executor, sink);
  sink.close();
  return sink.join(executor);
}

std::vector<Pair> candidates_of(LinearKdtree<3>& method, const List& boxes) {
  SerialExecutor executor;
  method.update(boxes, executor);
  CollectSink sink;
  method.find_candidates(executor, sink);
  return sink.join(executor);
}

// ---- codes

TEST(LinearKdtreeCodes, KeysOfAPrefixComeBeforeThoseOfItsExtensionsAndNothingBetween) {
  const CodeSpace<3> space(kUnitSpace, 4);
  const std::uint64_t code = 0b101100111010;
  for (int length = 0; length < 12; ++length) {
    const std::uint64_t prefix = space.key(code, length);
    EXPECT_LT(prefix, space.key(code, length + 1));
    EXPECT_LE(space.key(code, 12), space.last_extension(prefix));
    const std::uint64_t sibling = code ^ (std::uint64_t{1} << (12 - length - 1));
    if (length > 0) {
      EXPECT_FALSE(space.contains(space.key(sibling, length + 1), code)) << length;
    }
    EXPECT_TRUE(space.contains(prefix, code));
  }
}

TEST(LinearKdtreeCodes, SlicesNeverFallWhenTheValueGrowsAndClampOutside) {
  const CodeSpace<3> space({{-1e-3f, 0, 0}, {1e-3f, 1, 1}}, 19);
  std::uint32_t last = 0;
  for (float x = -2e-3f; x < 2e-3f; x = std::nextafter(x + 1e-7f, 1.0f)) {
    const std::uint32_t slice = space.slice(0, x);
    EXPECT_GE(slice, last);
    last = slice;
  }
  EXPECT_EQ(space.slice(0, -3e38f), 0u);
  EXPECT_EQ(space.slice(0, 3e38f), (1u << 19) - 1);
}

TEST(LinearKdtreeCodes, AxesAreBisectedByTheirLengthInUnits) {
  // A long world of cubes, and a cube of plates: bits go where boxes can be told apart.
  EXPECT_EQ(CodeSpace<3>({{0, 0, 0}, {64, 1, 1}}, {1, 1, 1}).code_bits(), 6);
  const CodeSpace<3> plates({{0, 0, 0}, {16, 16, 16}}, {16, 16, 1});
  EXPECT_EQ(plates.code_bits(), 4);
  for (int bit = 0; bit < 4; ++bit) EXPECT_EQ(plates.axis_of(bit), 2);
}

TEST(LinearKdtreeCodes, ACellHoldsEveryValueWithItsSlices) {
  const CodeSpace<3> space({{-7.1f, 0, 0}, {3.3f, 1, 1}}, 10);
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    const float x = random.uniform(-8, 4);
    const std::uint64_t code = space.code({space.slice(0, x), 0, 0});
    const Box3 cell = space.cell(space.key(code, static_cast<int>(random.below(31))));
    EXPECT_LE(cell.lo[0], x);
    EXPECT_GE(cell.hi[0], x);
  }
}

// ---- splitting

constexpr std::uint64_t kNeverDeepEnough = std::uint64_t{63} << kMostCodeBits;

std::vector<std::uint64_t> parts_of(const CodeSpace<3>& space, const Box3& box, bool split = true,
                                    bool octree = false) {
  std::array<std::uint32_t, 3> lo, hi;
  for (int axis = 0; axis < 3; ++axis) {
    lo[axis] = space.slice(axis, box.lo[axis]);
    hi[axis] = space.slice(axis, box.hi[axis]);
  }
  std::uint64_t keys[8];
  const std::size_t count =
      Splitter<3>(space, split, octree).place(space.code(lo), space.code(hi) | kNeverDeepEnough, keys);
  return {keys, keys + count};
}

TEST(LinearKdtreeSplitting, ABoxAcrossAllMiddlePlanesMakesEightSmallParts) {
  const CodeSpace<3> space(kUnitSpace, 10);
  const Box3 box =
      box_at(0.5f - 1.0f / 64, 0.5f - 1.0f / 64, 0.5f - 1.0f / 64, 1.0f / 32, 1.0f / 32, 1.0f / 32);
  EXPECT_EQ(CodeSpace<3>::length(parts_of(space, box, false).at(0)), 0);
  const auto keys = parts_of(space, box);
  ASSERT_EQ(keys.size(), 8u);
  for (const std::uint64_t key : keys) EXPECT_GE(CodeSpace<3>::length(key), 15);
}

TEST(LinearKdtreeSplitting, ASplitThatReducesNoVolumeIsNotMade) {
  // Half the space and a bit more, on each axis: all parts would need all of their octants.
  EXPECT_EQ(parts_of(CodeSpace<3>(kUnitSpace, 10), box_at(0.1f, 0.1f, 0.1f, 0.8f, 0.8f, 0.8f)).size(), 1u);
}

TEST(LinearKdtreeSplitting, PartsLieInCellsApartAndCoverTheBox) {
  const CodeSpace<3> space(kUnitSpace, 6);
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Box3 box = box_at(random.uniform(0, 0.9), random.uniform(0, 0.9), random.uniform(0, 0.9),
                            random.uniform(0, 0.3), random.uniform(0, 0.3), random.uniform(0, 0.3));
    for (const bool octree : {false, true}) {
      const auto keys = parts_of(space, box, true, octree);
      for (int j = 0; j < 50; ++j) {
        std::array<std::uint32_t, 3> slices;
        for (int axis = 0; axis < 3; ++axis)
          slices[axis] = space.slice(axis, random.uniform(box.lo[axis], box.hi[axis]));
        int holders = 0;
        for (const std::uint64_t key : keys) holders += space.contains(key, space.code(slices));
        EXPECT_EQ(holders, 1);
      }
      for (const std::uint64_t key : keys) {
        if (octree) {
          EXPECT_EQ(CodeSpace<3>::length(key) % 3, 0);
        }
      }
    }
  }
}

TEST(LinearKdtreeSplitting, IsAsThePaperMeasuresIt) {
  // Table 1, d = 0.1: 6.24 N sub-elements, Vn / Ve = 13.4, 62148 candidates; without splitting 2.3 million.
  const List boxes = spheres(10000, 0.1);
  LinearKdtree<3> method({.mode = Options::Mode::kd1, .coherent = false, .small_enough = 0, .bits = 19});
  const std::size_t candidates = candidates_of(method, boxes).size();
  EXPECT_GT(detail_of(method, "sub_elements"), 5.7 * 10000);
  EXPECT_LT(detail_of(method, "sub_elements"), 6.9 * 10000);
  EXPECT_GT(detail_of(method, "cell_volume") / (10000 * 0.5235987755982989), 10);
  EXPECT_LT(detail_of(method, "cell_volume") / (10000 * 0.5235987755982989), 15);
  EXPECT_NEAR(static_cast<double>(candidates), 62148, 0.35 * 62148);

  LinearKdtree<3> whole({.coherent = false, .split = false, .small_enough = 0, .bits = 19});
  EXPECT_GT(candidates_of(whole, boxes).size(), 20 * candidates);
  EXPECT_EQ(detail_of(whole, "sub_elements"), 10000);
}

// ---- candidates

TEST(LinearKdtreeCandidates, HoldEveryPairAtMostEightTimesAndNoBoxWithItself) {
  const List boxes = spheres(3000, 0.5);
  LinearKdtree<3> method({.mode = Options::Mode::kd1, .small_enough = 0});
  std::map<Pair, int> times;
  const std::vector<Pair> candidates = candidates_of(method, boxes);
  for (const Pair pair : candidates) ++times[pair];
  for (const auto& [pair, count] : times) {
    EXPECT_LT(pair.a, pair.b);
    EXPECT_LE(count, 8);
  }
  for (const Pair pair : test::oracle_pairs(boxes)) EXPECT_EQ(times.count(pair), 1u);
  EXPECT_EQ(method.stats().candidates, candidates.size());
}

TEST(LinearKdtreeCandidates, OfKd2AreThePairs) {
  const List boxes = spheres(3000, 0.5);
  SerialExecutor executor;
  LinearKdtree<3> method({});
  const std::size_t pairs = pairs_of(method, boxes, executor).size();
  EXPECT_EQ(method.stats().candidates, pairs);
}

// ---- crowded cells: cost by operations, not time

struct Crowd {
  const char* name;
  Box3 (*box)(std::size_t i, float side, Random& random);
};
const Crowd kCrowds[] = {
    {"rods in three directions",
     [](std::size_t i, float side, Random& random) {
       Box3 box = box_at(random.uniform(0, side), random.uniform(0, side), random.uniform(0, side), 0.01f,
                         0.01f, 0.01f);
       box.lo[i % 3] = 0;
       box.hi[i % 3] = side;
       return box;
     }},
    {"a cluster and two outliers at the ends of the floats",
     [](std::size_t i, float side, Random& random) {
       if (i < 2)
         return box_at(i == 0 ? -3e38f : 3e38f, i == 0 ? -3e38f : 3e38f, i == 0 ? -3e38f : 3e38f, 1, 1, 1);
       return box_at(random.uniform(0, side), random.uniform(0, side), random.uniform(0, side), 0.5f, 0.5f,
                     0.5f);
     }},
    {"boxes across the middle planes",
     [](std::size_t i, float side, Random& random) {
       Box3 box = box_at(random.uniform(0, side), random.uniform(0, side), random.uniform(0, side), 0.2f,
                         0.2f, 0.2f);
       box.lo[i % 3] = side / 2 - 0.1f;
       box.hi[i % 3] = side / 2 + 0.1f;
       return box;
     }},
    {"the same few boxes again and again",
     [](std::size_t i, float, Random&) { return box_at(2 * static_cast<float>(i / 64), 0, 0, 1, 1, 1); }},
};

double operations_per_bound(const List& boxes, const Options& options, const char* name) {
  SerialExecutor executor;
  LinearKdtree<3> method(options);
  const std::vector<Pair> pairs = pairs_of(method, boxes, executor);
  AnyMethod<3> reference = make_method<3>("sweep");
  DigestSink expected;
  reference.update(boxes, executor);
  reference.find_pairs(executor, expected);
  PairDigest found;
  found.add(pairs);
  EXPECT_EQ(found, expected.digest()) << name;
  const double n = static_cast<double>(boxes.size());
  return (detail_of(method, "tests") + detail_of(method, "crowded") + detail_of(method, "sub_elements")) /
         (n * std::log2(n) + static_cast<double>(pairs.size()));
}

TEST(LinearKdtreeCrowds, StayNearNLogNAndPairs) {
  if (test::kThreadSanitized) GTEST_SKIP() << "runs on one thread";
  constexpr std::size_t kBoxes = 40000;
  for (const Crowd& crowd : kCrowds) {
    Random random(7);
    List boxes;
    for (std::size_t i = 0; i < kBoxes; ++i)
      boxes.push_back(crowd.box(i, std::cbrt(static_cast<float>(kBoxes)), random));
    EXPECT_LT(operations_per_bound(boxes, {}, crowd.name), 10) << crowd.name;
  }
}

TEST(LinearKdtreeCrowds, AllEqualCodesStayNearNLogNAndPairs) {
  // One bit an axis, and an interest space that is far away: every box has the same code.
  const List boxes = spheres(40000, 0.1);
  EXPECT_LT(operations_per_bound(boxes, {.bits = 1}, "one bit"), 20);  // cells with 511 are not yet crowded
  EXPECT_LT(operations_per_bound(boxes, {.bits = 19, .space_lo = 1e6, .space_hi = 2e6}, "elsewhere"), 10);
}

TEST(LinearKdtreeCrowds, GiveTheSamePairsOnThreads) {
  Random random(7);
  List boxes;
  for (std::size_t i = 0; i < 20000; ++i) boxes.push_back(kCrowds[0].box(i, 27, random));
  SerialExecutor serial;
  test::ThreadExecutor threads(3);
  LinearKdtree<3> method({.bits = 2});
  PairDigest one, three;
  one.add(pairs_of(method, boxes, serial));
  three.add(pairs_of(method, boxes, threads));
  EXPECT_EQ(one, three);
  EXPECT_GT(detail_of(method, "crowds"), 0);
}

// ---- coherence

TEST(LinearKdtreeCoherence, BoxesAtRestAreNotSortedAgain) {
  List boxes = spheres(5000, 0.1);
  SerialExecutor executor;
  LinearKdtree<3> method({});
  pairs_of(method, boxes, executor);
  EXPECT_EQ(detail_of(method, "sorted"), detail_of(method, "sub_elements"));
  pairs_of(method, boxes, executor);
  EXPECT_EQ(detail_of(method, "sorted"), 0);
  for (std::size_t i = 0; i < 50; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      boxes[i * 100].lo[axis] += 0.3f;
      boxes[i * 100].hi[axis] += 0.3f;
    }
  EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, boxes, executor)), "");
  EXPECT_GT(detail_of(method, "sorted"), 0);
  EXPECT_LE(detail_of(method, "sorted"), 50 * 8);
}

TEST(LinearKdtreeCoherence, FollowsAnyShareOfMovingBoxesExactly) {
  if (test::kThreadSanitized) GTEST_SKIP() << "runs on one thread";
  List boxes = spheres(3000, 0.3);
  SerialExecutor executor;
  LinearKdtree<3> method({});
  Random random(11);
  for (int frame = 0; frame < 24; ++frame) {
    const std::size_t one_in = std::size_t{1} << (frame % 8);
    const double step = frame % 3 == 0 ? 3 : 0.1;
    for (Box3& box : boxes) {
      if (!random.one_in(one_in)) continue;
      for (int axis = 0; axis < 3; ++axis) {
        box.lo[axis] += random.uniform(-step, step);
        box.hi[axis] = box.lo[axis] + 1;
      }
    }
    EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, boxes, executor)), "") << frame;
  }
}

}  // namespace
}  // namespace winnow::linear_kdtree
