// What a race counts and what it does not.
#include "bench/race.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "winnow/error.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

// Three boxes in a row, of which neighbours touch, drifting frame by frame.
FrameSource three_boxes() {
  return [frame = 0](std::vector<Box3>& boxes) mutable {
    const float x = static_cast<float>(frame++);
    boxes = {{{x, 0, 0}, {x + 1, 1, 1}}, {{x + 1, 0, 0}, {x + 2, 1, 1}}, {{x + 2, 0, 0}, {x + 3, 1, 1}}};
    return true;
  };
}

// Gives the same answer whatever the boxes.
class Parrot final : public Contender {
 public:
  explicit Parrot(std::vector<Pair> pairs, double seconds = 0)
      : pairs_(std::move(pairs)), seconds_(seconds) {}
  void update(std::span<const Box3>) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
  }
  void find_pairs(PairSink& sink) override {
    sink.open(1);
    for (const Pair pair : pairs_) sink.writer(0).write(pair);
    sink.close();
  }

 private:
  std::vector<Pair> pairs_;
  double seconds_;
};

ContenderEntry parrot(std::string name, std::vector<Pair> pairs, double seconds = 0) {
  return {{.kind = "peer", .name = std::move(name)},
          [=](std::size_t) { return std::make_unique<Parrot>(pairs, seconds); }};
}

const std::vector<Pair> kRight = {{0, 1}, {1, 2}};
constexpr RaceOptions kShort{.warmup = 1, .frames = 4};

TEST(Race, TimesEveryFrameOfAnExactCandidate) {
  const RaceReport report = race({parrot("right", kRight)}, three_boxes, kShort);
  EXPECT_TRUE(report.result("right").exact);
  EXPECT_EQ(report.result("right").ms.total.size(), 4u);
  EXPECT_EQ(report.frames, 4u);
  EXPECT_EQ(report.digest.count, 8u);
}

TEST(Race, DoesNotTimeWhoLosesAPair) {
  const RaceReport report = race({parrot("loses", {{0, 1}}), parrot("right", kRight)}, three_boxes, kShort);
  EXPECT_FALSE(report.result("loses").exact);
  EXPECT_TRUE(report.result("loses").ms.total.empty());
  EXPECT_NE(report.result("loses").fault.find("WRONG"), std::string::npos);
  EXPECT_TRUE(report.result("right").exact);
}

TEST(Race, DoesNotTimeWhoReportsAPairTwiceOrAnotherOne) {
  const RaceReport report = race(
      {parrot("twice", {{0, 1}, {1, 2}, {1, 2}}), parrot("other", {{0, 1}, {0, 2}})}, three_boxes, kShort);
  EXPECT_FALSE(report.result("twice").exact);
  EXPECT_FALSE(report.result("other").exact);
}

TEST(Race, StopsAskingWhoIsTooSlow) {
  RaceOptions options = kShort;
  options.slowest_seconds = 0.001;
  const RaceReport report = race({parrot("slow", kRight, 0.01)}, three_boxes, options);
  EXPECT_TRUE(report.result("slow").exact);
  EXPECT_LE(report.result("slow").ms.total.size(), 1u);
  EXPECT_NE(report.result("slow").fault.find("too slow"), std::string::npos);
}

TEST(Race, LeavesOutWhoCannotUseThreads) {
  RaceOptions options = kShort;
  options.threads = 2;
  const RaceReport report = race({parrot("single", kRight)}, three_boxes, options);
  EXPECT_TRUE(report.result("single").ms.total.empty());
  EXPECT_FALSE(report.result("single").fault.empty());
}

TEST(Race, KeepsWhatWasMeasuredWhenStopped) {
  const RaceReport report = race({parrot("right", kRight)}, three_boxes, kShort,
                                 [](std::size_t done, std::size_t) { return done < 3; });
  EXPECT_EQ(report.frames, 2u);
  EXPECT_EQ(report.result("right").ms.total.size(), 2u);
}

TEST(Race, RunsEveryMethodOfTheRegistry) {
  const RaceReport report = race(parse_methods("all"), three_boxes, kShort);
  EXPECT_EQ(report.results.size(), methods().size());
  for (const Result& result : report.results) EXPECT_TRUE(result.exact) << result.fault;
}

TEST(Race, MeasuresTheFloors) {
  const RaceReport report = race(floors(), three_boxes, kShort);
  EXPECT_GT(report.floor_ms(), 0);
  EXPECT_EQ(report.results.size(), 3u);
}

TEST(Candidates, RefuseUnknownNames) {
  EXPECT_THROW(parse_methods("brute_force,nobody"), Error);
  EXPECT_THROW(parse_methods("brute_force:nothing=1"), Error);
  EXPECT_THROW(parse_peers("nobody"), Error);
  EXPECT_TRUE(parse_methods("none").empty());
}

}  // namespace
}  // namespace winnow::bench
