// Pouchol, Ahmad, Crespin and Terraz 2009, sections 4.1 and 4.2: segments2d, points2d and fluid_over_spheres.
#include <algorithm>

#include "scene/body_scene.hpp"
#include "scene/random.hpp"

namespace winnow::scene {
namespace {

const char* const kSection1 = "Pouchol, Ahmad, Crespin and Terraz 2009, section 4.1";
const char* const kSection2 = "Pouchol, Ahmad, Crespin and Terraz 2009, section 4.2";

Box<2> square(double x, double y, double edge) {
  return {{static_cast<float>(x - edge / 2), static_cast<float>(y - edge / 2)},
          {static_cast<float>(x + edge / 2), static_cast<float>(y + edge / 2)}};
}

struct SegmentsOptions {
  std::size_t solids = 1000;

  static const OptionTable<SegmentsOptions>& table() {
    static const auto table = OptionTable<SegmentsOptions>().integer(
        "solids", &SegmentsOptions::solids, 0, 1'000'000'000, "objects",
        "objects that stand still, at most half of all; the rest are the segments that particles move along");
    return table;
  }
};

// Objects first, then the boxes of the particles' motion in this frame.
class Segments2d final : public GeneratedScene<2> {
 public:
  explicit Segments2d(const SceneRequest& request)
      : GeneratedScene(request),
        solids_(std::min(SegmentsOptions::table().make(request.settings).solids, request.objects / 2)) {}

 private:
  static constexpr double kSide = 8192, kLongest = 16;  // units; of the world, of a motion

  void make_frame(std::size_t frame, Executor& executor) override {
    parallel_for(executor, boxes_.size(), kObjectGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) boxes_[i] = i < solids_ ? solid(i) : segment(i, frame);
    });
  }

  // 10 % of about 2^10, 25 % of about 2^6, the rest of about 2^3.
  Box<2> solid(std::size_t i) const {
    Random random(seed_, i);
    const double kind = random.uniform();
    const double mean = kind < 0.1 ? 1024 : kind < 0.35 ? 64 : 8;
    const double x = random.uniform(0, kSide), y = random.uniform(0, kSide);
    return square(x, y, mean * random.uniform(0.5, 1.5));
  }

  // From where the particle is to where it will be in the next frame; it leaves on one side of the world and
  // comes back on the other.
  Box<2> segment(std::size_t i, std::size_t frame) const {
    Random random(seed_, i);
    const double velocity[] = {random.uniform(-1, 1) * kLongest * 0.7071,
                               random.uniform(-1, 1) * kLongest * 0.7071};
    Box<2> box;
    for (int axis = 0; axis < 2; ++axis) {
      const double way = random.uniform(0, kSide) + velocity[axis] * static_cast<double>(frame);
      const double from = way - kSide * std::floor(way / kSide), to = from + velocity[axis];
      box.lo[axis] = static_cast<float>(std::min(from, to));
      box.hi[axis] = static_cast<float>(std::max(from, to));
    }
    return box;
  }

  std::size_t solids_;
};

struct PointsOptions {
  double radius = 1024;

  static const OptionTable<PointsOptions>& table() {
    static const auto table = OptionTable<PointsOptions>().real(
        "radius", &PointsOptions::radius, 0, 1'048'576, "units",
        "boxes of points nearer to each other than this on both axes overlap");
    return table;
  }
};

// A square of edge `radius` about each point.
class Points2d final : public GeneratedScene<2> {
 public:
  explicit Points2d(const SceneRequest& request)
      : GeneratedScene(request), radius_(PointsOptions::table().make(request.settings).radius) {}

 private:
  static constexpr double kSide = 1 << 20;

  void make_frame(std::size_t frame, Executor& executor) override {
    if (frame != 0) return;
    parallel_for(executor, boxes_.size(), kObjectGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) {
        Random random(seed_, i);
        const double x = random.uniform(0, kSide), y = random.uniform(0, kSide);
        boxes_[i] = square(x, y, radius_);
      }
    });
  }

  double radius_;
};

struct FluidOptions {
  double side = 4;

  static const OptionTable<FluidOptions>& table() {
    static const auto table = OptionTable<FluidOptions>().real(
        "side", &FluidOptions::side, 1, 64, "units",
        "edge of the box around 2000 spheres; they fill a twelfth of a box of 4");
    return table;
  }
};

// Particles fall through a box of fixed spheres and gather at its bottom. The paper does not tell the size of
// the box.
class FluidOverSpheres final : public BodyScene {
 public:
  explicit FluidOverSpheres(const SceneRequest& request) : BodyScene(request, 0) {
    const std::size_t spheres = std::min<std::size_t>(2000, request.objects / 2);
    const double share = static_cast<double>(std::max<std::size_t>(spheres, 1)) / 2000;
    const double whole = FluidOptions::table().make(request.settings).side;
    const auto side = static_cast<float>(whole * cube_root(share));
    std::vector<Body> bodies(request.objects);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Random random(seed_, i);
      const bool fixed = i < spheres;
      const double diameter = fixed ? random.uniform(0x1p-4, 0x1p-2) : 0x1p-6;
      Body& body = bodies[i];
      body.form = Form::ball;
      body.half = Vec3{1, 1, 1} * static_cast<float>(diameter / 2);
      body.position = random.in_cube(0, side);
      body.inverse_mass = fixed ? 0 : 1;
    }
    const World world{.bounds = {{0, 0, 0}, {side, side, side}},
                      .step = 1.0f / 60,
                      .drag = 0.005f,
                      .bounce = 0.3f,
                      .friction = 0.02f,
                      .crowd = 12};
    pull_ = {0, 0, -side / 2};
    start(make_light_engine(world, std::move(bodies)));
  }

 private:
  Vec3 pull(std::size_t, const Body&) const override { return pull_; }

  Vec3 pull_;
};

}  // namespace

std::vector<SceneEntry> pouchol_scenes() {
  return {{{.name = "segments2d",
            .summary = "the motions of a million particles among objects of three sizes",
            .paper = kSection1,
            .dim = 2,
            .default_objects = 1'001'000,
            .default_frames = 10,
            .options = SegmentsOptions::table().infos()},
           make_scene<Segments2d>},
          {{.name = "points2d",
            .summary = "a million points and their neighbourhoods; nothing moves",
            .paper = kSection1,
            .dim = 2,
            .default_objects = 1'000'000,
            .default_frames = 10,
            .options = PointsOptions::table().infos()},
           make_scene<Points2d>},
          {{.name = "fluid_over_spheres",
            .summary = "particles fall over fixed spheres and gather at the bottom",
            .paper = kSection2,
            .dim = 3,
            .default_objects = 22'000,
            .default_frames = 1000,
            .options = FluidOptions::table().infos()},
           make_scene<FluidOverSpheres>}};
}

}  // namespace winnow::scene
