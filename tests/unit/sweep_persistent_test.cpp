#include "winnow/methods/sweep_persistent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "support/compare.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/thread_executor.hpp"
#include "winnow/error.hpp"

namespace winnow {
namespace {

using test::Random;

template <int Dim>
std::vector<Pair> pairs_of(SweepPersistent<Dim>& method, Executor& executor) {
  CanonicalSink sink(executor);
  sink.open(executor.workers());
  method.find_pairs(executor, sink);
  sink.close();
  return sink.take();
}

template <int Dim>
std::string detail(const SweepPersistent<Dim>& method, const std::string& name) {
  for (const Stat& stat : method.stats().details)
    if (stat.name == name)
      return std::holds_alternative<std::string>(stat.value) ? std::get<std::string>(stat.value)
                                                             : std::to_string(std::get<double>(stat.value));
  return "";
}

// A box on coordinates that meet often: small integers, both zeros, now and then the extremes.
template <int Dim>
Box<Dim> random_box(Random& random, std::size_t places) {
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    box.lo[axis] = static_cast<float>(random.below(places)) - static_cast<float>(places / 2);
    box.hi[axis] = box.lo[axis] + static_cast<float>(random.below(3));
    if (box.lo[axis] == 0 && random.one_in(2)) box.lo[axis] = -0.0f;
    if (random.one_in(200)) box.hi[axis] = std::numeric_limits<float>::max();
    if (random.one_in(200)) box.lo[axis] = -std::numeric_limits<float>::max();
  }
  return box;
}

// ---- boxes one by one

// The method beside a plain list of boxes. Each operation is compared with the oracle: pairs and events.
template <int Dim>
class Twin {
 public:
  explicit Twin(std::uint64_t seed) : random_(seed), places_(4 + random_.below(12)) {}

  void operate() {
    const std::size_t choice = boxes_.size() < 3 ? 0 : random_.below(10);
    if (choice < 3 && boxes_.size() < 24) {
      const Box<Dim> box = random_box<Dim>(random_, places_);
      const std::uint32_t id = method_.insert(box);
      ASSERT_FALSE(boxes_.contains(id)) << "an id in use was given again";
      boxes_[id] = box;
    } else if (choice < 5) {
      const auto victim = any();
      method_.remove(victim->first);
      boxes_.erase(victim);
    } else {
      const auto mover = any();
      mover->second = moved(mover->second);
      method_.move(mover->first, mover->second);
    }
    compare();
  }

 private:
  auto any() { return std::next(boxes_.begin(), static_cast<std::ptrdiff_t>(random_.below(boxes_.size()))); }

  Box<Dim> moved(Box<Dim> box) {
    const std::size_t how = random_.below(4);
    if (how == 0) return random_box<Dim>(random_, places_);  // teleport
    for (int axis = 0; axis < Dim; ++axis) {
      if (how == 1) {  // shrink to a point
        box.hi[axis] = box.lo[axis];
      } else if (std::abs(box.lo[axis]) < 1e6f && std::abs(box.hi[axis]) < 1e6f) {  // a step or a half
        const float step = static_cast<float>(random_.below(5)) / 2 - 1;
        box.lo[axis] += step;
        box.hi[axis] += how == 2 ? step : step + 0.5f;
      }
    }
    return box;
  }

  void compare() {
    std::vector<Box<Dim>> list;
    std::vector<std::uint32_t> ids;
    for (const auto& [id, box] : boxes_) {
      ids.push_back(id);
      list.push_back(box);
    }
    std::vector<Pair> expected;
    for (const Pair pair : test::oracle_pairs(list)) expected.push_back({ids[pair.a], ids[pair.b]});
    ASSERT_EQ(test::difference(expected, pairs_of(method_, serial_)), "");
    std::vector<Pair> begun, ended;
    std::ranges::set_difference(expected, last_, std::back_inserter(begun));
    std::ranges::set_difference(last_, expected, std::back_inserter(ended));
    ASSERT_EQ(test::difference(begun, {method_.begun().begin(), method_.begun().end()}), "") << "begun";
    ASSERT_EQ(test::difference(ended, {method_.ended().begin(), method_.ended().end()}), "") << "ended";
    ASSERT_EQ(method_.size(), boxes_.size());
    last_ = std::move(expected);
  }

  Random random_;
  std::size_t places_;
  SerialExecutor serial_;
  SweepPersistent<Dim> method_;
  std::map<std::uint32_t, Box<Dim>> boxes_;
  std::vector<Pair> last_;
};

template <int Dim>
void operate_at_random(std::uint64_t seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Twin<Dim> twin(seed);
    for (int operation = 0; operation < 100; ++operation) {
      twin.operate();
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", operation " << operation;
    }
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr std::uint64_t kScripts = 200;
#else
constexpr std::uint64_t kScripts = 10000;
#endif

TEST(SweepPersistentBoxes, HavePairsAndEventsOfTheOracleAfterEachRandomOperation2d) {
  operate_at_random<2>(kScripts / 5);
}
TEST(SweepPersistentBoxes, HavePairsAndEventsOfTheOracleAfterEachRandomOperation3d) {
  operate_at_random<3>(kScripts);
}

TEST(SweepPersistentBoxes, RemovingABoxEndsItsPairs) {
  SweepPersistent<2> method;
  const std::uint32_t a = method.insert({{0, 0}, {2, 2}});
  const std::uint32_t b = method.insert({{1, 1}, {3, 3}});
  method.insert({{2, 2}, {4, 4}});
  method.remove(b);
  EXPECT_EQ(method.ended().size(), 2u);
  SerialExecutor serial;
  EXPECT_EQ(pairs_of(method, serial), (std::vector<Pair>{{a, 2}}));
}

TEST(SweepPersistentBoxes, AFreedIdIsGivenAgainWithoutItsOldBox) {
  SweepPersistent<2> method;
  const std::uint32_t a = method.insert({{0, 0}, {1, 1}});
  method.remove(a);
  EXPECT_EQ(method.insert({{5, 5}, {6, 6}}), a);
  method.insert({{0, 0}, {1, 1}});
  EXPECT_TRUE(method.begun().empty());
}

TEST(SweepPersistentBoxes, RefuseBadBoxesAndUnknownIdsAndStayAsTheyWere) {
  SweepPersistent<2> method;
  const std::uint32_t a = method.insert({{0, 0}, {1, 1}});
  method.insert({{1, 1}, {2, 2}});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(method.insert({{0, nan}, {1, 1}}), Error);
  EXPECT_THROW(method.move(a, {{0, 2}, {1, 1}}), Error);
  EXPECT_THROW(method.move(2, {{0, 0}, {1, 1}}), Error);
  EXPECT_THROW(method.remove(7), Error);
  EXPECT_EQ(method.size(), 2u);
  SerialExecutor serial;
  EXPECT_EQ(pairs_of(method, serial), (std::vector<Pair>{{0, 1}}));
  method.remove(a);
  EXPECT_THROW(method.remove(a), Error) << "removed twice";
}

TEST(SweepPersistentBoxes, GoOnFromAFrameAndBackToFrames) {
  Random random(5);
  SerialExecutor serial;
  SweepPersistent<3> method;
  std::vector<Box3> boxes;
  for (int i = 0; i < 60; ++i) boxes.push_back(random_box<3>(random, 8));
  method.update(boxes, serial);
  boxes[7] = random_box<3>(random, 8);
  method.move(7, boxes[7]);
  boxes.push_back(random_box<3>(random, 8));
  EXPECT_EQ(method.insert(boxes.back()), 60u);
  EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, serial)), "");
  method.remove(3);
  method.update(boxes, serial);  // all of them again
  EXPECT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, serial)), "");
}

// ---- frames

template <int Dim>
std::vector<Box<Dim>> cubes(std::size_t n, Random& random) {
  std::vector<Box<Dim>> boxes(n);
  const double side = 2 * std::pow(static_cast<double>(n), 1.0 / Dim);
  for (auto& box : boxes)
    for (int axis = 0; axis < Dim; ++axis) {
      box.lo[axis] = random.uniform(0, side);
      box.hi[axis] = box.lo[axis] + 1;
    }
  return boxes;
}

template <int Dim>
void push(Box<Dim>& box, Random& random, double step) {
  for (int axis = 0; axis < Dim; ++axis) {
    const float by = random.uniform(-step, step);
    box.lo[axis] += by;
    box.hi[axis] += by;
  }
}

TEST(SweepPersistentFrames, FollowASceneMostlyAtRest) {
  Random random(2);
  test::ThreadExecutor executor(3);
  SweepPersistent<3> method;
  auto boxes = cubes<3>(2000, random);
  for (int frame = 0; frame < 20; ++frame) {
    method.update(boxes, executor);
    ASSERT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, executor)), "")
        << "frame " << frame;
    EXPECT_EQ(detail(method, "followed"), frame == 0 ? "no" : "yes");
    for (int k = 0; k < 20; ++k) push(boxes[random.below(boxes.size())], random, 1.0);
  }
}

TEST(SweepPersistentFrames, FollowASceneInWhichEverythingDrifts) {
  Random random(3);
  test::ThreadExecutor executor(2);
  SweepPersistent<2> method;
  auto boxes = cubes<2>(1500, random);
  for (int frame = 0; frame < 20; ++frame) {
    method.update(boxes, executor);
    ASSERT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, executor)), "")
        << "frame " << frame;
    EXPECT_EQ(detail(method, "followed"), frame == 0 ? "no" : "yes");
    for (auto& box : boxes) push(box, random, 0.02);
  }
}

TEST(SweepPersistentFrames, SweepAfreshWhenTheOrderHasDecayed) {
  Random random(4);
  SerialExecutor serial;
  SweepPersistent<3> method;
  int followed = 0;
  for (int frame = 0; frame < 40; ++frame) {
    const auto boxes = cubes<3>(1000, random);  // everything teleports
    method.update(boxes, serial);
    ASSERT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, serial)), "") << "frame " << frame;
    followed += detail(method, "followed") == "yes";
  }
  EXPECT_LE(followed, 5) << "attempts must become rare";
}

TEST(SweepPersistentFrames, LetBoxesComeAndGoAtTheEnd) {
  Random random(6);
  SerialExecutor serial;
  SweepPersistent<3> method;
  auto boxes = cubes<3>(300, random);
  int followed = 0;
  for (int frame = 0; frame < 60; ++frame) {
    method.update(boxes, serial);
    ASSERT_EQ(test::difference(test::oracle_pairs(boxes), pairs_of(method, serial)), "") << "frame " << frame;
    followed += detail(method, "followed") == "yes";
    const std::size_t change = random.below(8);
    if (random.one_in(2))
      boxes.resize(boxes.size() - change);
    else
      for (const auto& box : cubes<3>(change, random)) boxes.push_back(box);
    push(boxes[random.below(boxes.size())], random, 1.0);
  }
  EXPECT_EQ(followed, 59);
}

TEST(SweepPersistentFrames, StayWhatTheyWereWhenAFrameIsRefused) {
  Random random(7);
  SerialExecutor serial;
  SweepPersistent<3> method;
  auto boxes = cubes<3>(200, random);
  for (int frame = 0; frame < 3; ++frame) method.update(boxes, serial);
  const auto before = pairs_of(method, serial);
  auto bad = boxes;
  for (auto& box : bad) push(box, random, 5.0);
  bad[150].hi[1] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(method.update(bad, serial), Error);
  EXPECT_EQ(pairs_of(method, serial), before);
}

}  // namespace
}  // namespace winnow
