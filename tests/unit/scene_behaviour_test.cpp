// That scenes do what their papers and their names say.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/engine.hpp"
#include "scene/scene.hpp"
#include "support/sanitized.hpp"
#include "winnow/error.hpp"
#include "winnow/find_pairs.hpp"

namespace winnow::scene {
namespace {

using Boxes3 = std::vector<Box<3>>;

// A scene's frames, one after the other.
class Show {
 public:
  explicit Show(const SceneRequest& request) : scene_(open_scene(request)) {}

  Boxes3 next() {
    EXPECT_TRUE(scene_->next(executor_));
    const BoxesView<3> boxes = scene_->boxes_3d();
    Boxes3 copy(boxes.size());
    for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = boxes[i];
    return copy;
  }
  Boxes3 last() {
    Boxes3 boxes;
    for (std::size_t frame = 0; frame < scene_->frames(); ++frame) boxes = next();
    return boxes;
  }
  const Scene& scene() const { return *scene_; }

 private:
  std::unique_ptr<Scene> scene_;
  SerialExecutor executor_;
};

double share_at_rest(const Boxes3& before, const Boxes3& after) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < after.size(); ++i) same += before[i] == after[i];
  return static_cast<double>(same) / static_cast<double>(after.size());
}

double pairs_an_object(const Boxes3& boxes) {
  return static_cast<double>(find_pairs(boxes).size()) / static_cast<double>(boxes.size());
}

double world_side(std::size_t objects) { return std::cbrt(50.0 * static_cast<double>(objects)); }

class SerpaObjects : public testing::TestWithParam<std::string> {
 protected:
  SceneRequest request(const std::string& scene, std::size_t objects, std::size_t frames,
                       std::size_t skip) const {
    return {.scene = scene,
            .objects = objects,
            .frames = frames,
            .settings = {{"objects", GetParam()}, {"skip", std::to_string(skip)}}};
  }
};

TEST_P(SerpaObjects, OfFreeFallComeToRestOnTheFloorToTheBit) {
  Show show(request("free_fall", 600, 2, 350));
  const Boxes3 before = show.next(), after = show.next();
  EXPECT_GE(share_at_rest(before, after), 0.8);
  const float floor = static_cast<float>(-world_side(600) / 2);
  float highest = floor;
  for (const Box<3>& box : after) {
    EXPECT_GE(box.lo[2], floor - 1e-3f);
    highest = std::max(highest, box.hi[2]);
  }
  EXPECT_LT(highest, 0);  // none hangs in the air
}

TEST(FreeFall, ComesToRestInDeepPilesToo) {
  if (test::kSanitized) GTEST_SKIP() << "takes many frames";
  Show show({.scene = "free_fall", .objects = 30'000, .frames = 2, .settings = {{"skip", "400"}}});
  const Boxes3 before = show.next(), after = show.next();
  EXPECT_GE(share_at_rest(before, after), 0.8);
}

TEST_P(SerpaObjects, OfGravityCrowd) {
  Show show(request("gravity", 1000, 2, 200));
  const Boxes3 before = show.next(), after = show.next();
  EXPECT_GE(pairs_an_object(after), 3);
  EXPECT_LT(pairs_an_object(after), 30);
  EXPECT_LT(share_at_rest(before, after), 0.01);
}

TEST_P(SerpaObjects, OfBrownianAllMove) {
  Show show(request("brownian", 300, 2, 0));
  const Boxes3 before = show.next(), after = show.next();
  EXPECT_EQ(share_at_rest(before, after), 0);
}

INSTANTIATE_TEST_SUITE_P(Scene, SerpaObjects, testing::Values("cubes", "assorted"),
                         [](const auto& test) { return test.param; });

// Chi-square over 64 cells: its mean is 63 and its deviation 11 for evenly spread objects.
TEST(Brownian, StaysUniform) {
  constexpr std::size_t kObjects = 4000, kCells = 4;
  const Boxes3 boxes =
      Show({.scene = "brownian", .objects = kObjects, .frames = 1, .settings = {{"skip", "150"}}}).last();
  // Centres come as near to the walls as half a turned cube: 3/4 of an edge on average.
  const double side = world_side(kObjects) - 1.5;
  std::array<double, kCells * kCells * kCells> counts{};
  for (const Box<3>& box : boxes) {
    std::size_t cell = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double along = ((box.lo[axis] + box.hi[axis]) / 2 + side / 2) / side;
      cell = cell * kCells + static_cast<std::size_t>(std::clamp(along * kCells, 0.0, kCells - 1.0));
    }
    ++counts[cell];
  }
  const double expected = static_cast<double>(kObjects) / counts.size();
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_square, 130);
}

// Table 1 of Poirrier 2009 counts the pairs of 10,000 spheres that truly touch.
TEST(Spheres, TouchAsOftenAsInTheirPaper) {
  const std::vector<std::pair<std::string, double>> table = {{"0.01", 389}, {"0.05", 1901}, {"0.1", 3715}};
  for (const auto& [d, touching] : table) {
    const Boxes3 boxes =
        Show({.scene = "spheres", .objects = 10000, .frames = 1, .settings = {{"d", d}}}).last();
    double found = 0;
    for (const Pair pair : find_pairs(boxes)) {
      double square = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double way = static_cast<double>(boxes[pair.a].lo[axis]) - boxes[pair.b].lo[axis];
        square += way * way;
      }
      found += square <= 1;
    }
    EXPECT_NEAR(found / touching, 1, 0.1) << "d = " << d;
  }
}

TEST(FallingSpheres, PackMoreAndMore) {
  const auto pairs_after = [](const std::string& steps) {
    return pairs_an_object(
        Show({.scene = "falling_spheres", .objects = 1000, .frames = 1, .settings = {{"skip", steps}}})
            .last());
  };
  const double start = pairs_after("0"), middle = pairs_after("50"), late = pairs_after("100");
  EXPECT_GT(middle, 1.5 * start);
  EXPECT_GT(late, middle);
}

// Table 2 of Poirrier 2009: 471,044 overlapping boxes of 50,000 in steps 50 to 60.
TEST(FallingSpheres, OverlapAsOftenAsInTheirPaper) {
  const double pairs = pairs_an_object(
      Show({.scene = "falling_spheres", .objects = 50000, .frames = 1, .settings = {{"skip", "55"}}}).last());
  EXPECT_NEAR(pairs, 471044.0 / 50000, 1.5);
}

TEST(AvrilScenes, HaveBodiesWhoseBoxesTheyShow) {
  SerialExecutor executor;
  for (const char* const name : {"cubes", "balls", "skittles"}) {
    Show show({.scene = name, .objects = 60, .frames = 5});
    const Boxes3 boxes = show.last();
    const auto bodies = show.scene().bodies();
    ASSERT_TRUE(bodies) << name;
    ASSERT_EQ(bodies->size(), boxes.size());
    Boxes<3> updated;
    update_boxes(*bodies, executor, updated);
    for (std::size_t i = 0; i < boxes.size(); ++i) ASSERT_EQ(updated[i], boxes[i]) << name;
  }
}

TEST(SegmentsScene, HasSolidsThatStandAndParticlesThatMoveAShortWay) {
  SerialExecutor executor;
  const auto scene =
      open_scene({.scene = "segments2d", .objects = 1000, .frames = 2, .settings = {{"solids", "100"}}});
  ASSERT_TRUE(scene->next(executor));
  std::vector<Box<2>> before;
  for (std::size_t i = 0; i < 1000; ++i) before.push_back(scene->boxes_2d()[i]);
  ASSERT_TRUE(scene->next(executor));
  for (std::size_t i = 0; i < 1000; ++i) {
    const Box<2> box = scene->boxes_2d()[i];
    EXPECT_EQ(box == before[i], i < 100) << i;
    if (i < 100) continue;
    EXPECT_LE(std::hypot(box.hi[0] - box.lo[0], box.hi[1] - box.lo[1]), 16.01f);
  }
}

TEST(FluidOverSpheres, GathersAtTheBottomAndLeavesTheSpheresAlone) {
  Show show({.scene = "fluid_over_spheres", .objects = 1000, .frames = 300});
  const Boxes3 first = show.next();
  Boxes3 last;
  for (int frame = 1; frame < 300; ++frame) last = show.next();
  double height_before = 0, height_after = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    if (i < 500) {
      ASSERT_EQ(first[i], last[i]);
    } else {
      height_before += first[i].lo[2];
      height_after += last[i].lo[2];
    }
  }
  EXPECT_LT(height_after, 0.7 * height_before);
}

struct Moving {
  const char* scene;
  double least, most;  // share of objects that are somewhere else in the next frame
};

TEST(StressScenes, MoveAsManyObjectsAsTheySay) {
  for (const Moving& moving :
       {Moving{"mostly_static", 0.005, 0.015}, Moving{"teleport", 0.1, 0.1}, Moving{"city", 0.02, 0.02},
        Moving{"all_coincident", 0, 0}, Moving{"row", 1, 1}, Moving{"explosion", 1, 1}}) {
    Show show({.scene = moving.scene, .objects = 10000, .frames = 2});
    const Boxes3 before = show.next(), after = show.next();
    EXPECT_GE(1 - share_at_rest(before, after), moving.least - 1e-9) << moving.scene;
    EXPECT_LE(1 - share_at_rest(before, after), moving.most + 1e-9) << moving.scene;
  }
}

TEST(StressScenes, HaveTheLayoutTheyAreNamedFor) {
  const auto first = [](const std::string& scene, std::size_t objects, const Settings& settings = {}) {
    return Show({.scene = scene, .objects = objects, .frames = 1, .settings = settings}).next();
  };
  EXPECT_EQ(find_pairs(first("all_coincident", 100)).size(), 4950u);

  std::size_t with_giant = 0;
  for (const Pair pair : find_pairs(first("one_giant", 500))) with_giant += pair.a == 250 || pair.b == 250;
  EXPECT_EQ(with_giant, 499u);

  for (const char* const decades : {"4", "6"}) {
    float smallest = 1e30f, largest = 0;
    for (const Box<3>& box : first("power_law_sizes", 20000, {{"decades", decades}})) {
      smallest = std::min(smallest, box.hi[0] - box.lo[0]);
      largest = std::max(largest, box.hi[0] - box.lo[0]);
    }
    EXPECT_GT(std::log10(largest / std::max(smallest, 0.5f)), std::stod(decades) - 0.5);
  }

  double far = 0;
  for (const Box<3>& box : first("outliers", 1000)) far += std::abs(box.lo[0]) > 10000;
  EXPECT_GE(far, 3);
  EXPECT_LE(far, 6);
}

TEST(Explosion, GoesFromPackedToFarApart) {
  Show show({.scene = "explosion", .objects = 2000, .frames = 60});
  EXPECT_GT(pairs_an_object(show.next()), 3);
  Boxes3 last;
  for (int frame = 1; frame < 60; ++frame) last = show.next();
  EXPECT_LT(pairs_an_object(last), 0.5);
}

World quiet_world() { return {.bounds = {{-10, -10, 0}, {10, 10, 50}}, .bounce = 0, .sleeps = true}; }

Body ball_at(Vec3 position) {
  Body body;
  body.form = Form::ball;
  body.half = {0.5f, 0.5f, 0.5f};
  body.position = position;
  return body;
}

const Engine::Field kDown = [](std::size_t, const Body&) { return Vec3{0, 0, -10}; };

TEST(LightEngine, LaysABallOnTheFloorAndLeavesItThere) {
  SerialExecutor executor;
  const auto engine = make_light_engine(quiet_world(), {ball_at({0, 0, 5})});
  for (int k = 0; k < 60; ++k) engine->step(kDown, executor);
  const Vec3 rest = engine->bodies()[0].position;
  EXPECT_NEAR(rest.z, 0.5f, 1e-3f);
  for (int k = 0; k < 10; ++k) engine->step(kDown, executor);
  EXPECT_EQ(engine->bodies()[0].position, rest);
}

TEST(LightEngine, StacksABallOnAFixedBrick) {
  SerialExecutor executor;
  Body brick;
  brick.inverse_mass = 0;
  brick.half = {3, 3, 1};
  brick.position = {0, 0, 1};
  const auto engine = make_light_engine(quiet_world(), {brick, ball_at({0.5f, 0, 6})});
  for (int k = 0; k < 90; ++k) engine->step(kDown, executor);
  EXPECT_NEAR(engine->bodies()[1].position.z, 2.5f, 0.05f);
  EXPECT_EQ(engine->bodies()[0].position, (Vec3{0, 0, 1}));
}

TEST(LightEngine, WakesASleeperThatIsHitHard) {
  SerialExecutor executor;
  const auto engine = make_light_engine(quiet_world(), {ball_at({0, 0, 0.5f}), ball_at({0.2f, 0, 45})});
  for (int k = 0; k < 40; ++k) engine->step(kDown, executor);
  const Vec3 asleep = engine->bodies()[0].position;
  for (int k = 0; k < 80; ++k) engine->step(kDown, executor);
  EXPECT_NE(engine->bodies()[0].position, asleep);
}

TEST(LightEngine, PushesApartWhatStartsInTheSamePlace) {
  SerialExecutor executor;
  World world = quiet_world();
  world.sleeps = false;
  const auto engine = make_light_engine(world, {ball_at({0, 0, 5}), ball_at({0, 0, 5})});
  const Engine::Field none = [](std::size_t, const Body&) { return Vec3{}; };
  for (int k = 0; k < 20; ++k) engine->step(none, executor);
  EXPECT_GT(length(engine->bodies()[0].position - engine->bodies()[1].position), 0.9f);
}

TEST(Bullet, MovesRigidBodiesTheSameWayEachTimeOrSaysThatItIsNotThere) {
  const SceneRequest request{
      .scene = "free_fall", .objects = 60, .frames = 2, .settings = {{"engine", "bullet"}, {"skip", "400"}}};
  try {
    Show one(request), other(request);
    const Boxes3 before = one.next(), after = one.next();
    EXPECT_GE(share_at_rest(before, after), 0.8);
    EXPECT_EQ(before, other.next());
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("libbullet-dev"), std::string::npos);
  }
}

}  // namespace
}  // namespace winnow::scene
