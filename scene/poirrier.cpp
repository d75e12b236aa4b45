// Poirrier 2009, sections 4.2 and 6: spheres and falling_spheres.
#include "scene/body_scene.hpp"
#include "scene/random.hpp"

namespace winnow::scene {
namespace {

constexpr double kSphereVolume = 0.52359877559829887;  // of diameter 1: pi / 6

struct SpheresOptions {
  double d = 0.1;

  static const OptionTable<SpheresOptions>& table() {
    static const auto table = OptionTable<SpheresOptions>().real(
        "d", &SpheresOptions::d, 1e-6, 100, "1", "volume of the spheres over the volume they are spread in");
    return table;
  }
};

// Equal spheres spread evenly, free to overlap, that do not move.
class Spheres final : public GeneratedScene<3> {
 public:
  explicit Spheres(const SceneRequest& request) : GeneratedScene(request) {
    const SpheresOptions options = SpheresOptions::table().make(request.settings);
    side_ = cube_root(static_cast<double>(request.objects) * kSphereVolume / options.d);
  }

 private:
  void make_frame(std::size_t frame, Executor& executor) override {
    if (frame != 0) return;
    parallel_for(executor, boxes_.size(), kObjectGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) {
        const Vec3 c = Random(seed_, i).in_cube(0, side_);
        boxes_[i] = {{c.x - 0.5f, c.y - 0.5f, c.z - 0.5f}, {c.x + 0.5f, c.y + 0.5f, c.z + 0.5f}};
      }
    });
  }

  double side_;
};

struct FallingOptions {
  double d = 0.1;
  std::size_t skip = 0;

  static const OptionTable<FallingOptions>& table() {
    static const auto table =
        OptionTable<FallingOptions>()
            .real("d", &FallingOptions::d, 1e-6, 100, "1",
                  "volume of the spheres over the volume they start in")
            .integer("skip", &FallingOptions::skip, 0, 1'000'000, "steps",
                     "steps that pass before the first one shown: 0 and 50 in the paper");
    return table;
  }
};

// Spheres fall to a floor, and pairs of them push each other apart once a step. The paper gives neither the
// pull nor what a collision leaves of a speed: both are chosen for its number of pairs in steps 50 to 60.
class FallingSpheres final : public BodyScene {
 public:
  explicit FallingSpheres(const SceneRequest& request)
      : FallingSpheres(request, FallingOptions::table().make(request.settings)) {}

 private:
  static constexpr float kFall = 55;  // steps from the top to the floor, if nothing is in the way
  static constexpr int kCrowd = 12;   // spheres that can touch one; so many carry it

  FallingSpheres(const SceneRequest& request, const FallingOptions& options)
      : BodyScene(request, options.skip) {
    const double side = cube_root(static_cast<double>(request.objects) * kSphereVolume / options.d);
    std::vector<Body> bodies(request.objects);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].form = Form::ball;
      bodies[i].half = {0.5f, 0.5f, 0.5f};
      bodies[i].position = Random(seed_, i).in_cube(0, side) + Vec3{0, 0, 0.5f};
    }
    constexpr float kFar = 1e9f;  // only the floor holds them
    start(make_light_engine({.bounds = {{-kFar, -kFar, 0}, {kFar, kFar, kFar}}, .step = 1, .crowd = kCrowd},
                            std::move(bodies)));
    pull_ = {0, 0, -2 * static_cast<float>(side) / (kFall * kFall)};
  }
  Vec3 pull(std::size_t, const Body&) const override { return pull_; }

  Vec3 pull_;
};

}  // namespace

std::vector<SceneEntry> poirrier_scenes() {
  return {{{.name = "spheres",
            .summary = "equal spheres spread evenly, free to overlap; nothing moves",
            .paper = "Poirrier 2009, section 4.2",
            .dim = 3,
            .default_objects = 10000,
            .default_frames = 11,
            .options = SpheresOptions::table().infos()},
           make_scene<Spheres>},
          {{.name = "falling_spheres",
            .summary = "equal spheres fall to a floor and push each other apart",
            .paper = "Poirrier 2009, section 6",
            .dim = 3,
            .default_objects = 10000,
            .default_frames = 11,
            .options = FallingOptions::table().infos()},
           make_scene<FallingSpheres>}};
}

}  // namespace winnow::scene
