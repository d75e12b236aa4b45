// Poirrier 2009, section 4.2: spheres.
#include "scene/generated.hpp"
#include "scene/random.hpp"

namespace winnow::scene {
namespace {

constexpr double kSphereVolume = 0.52359877559829887;  // of diameter 1: pi / 6
const char* const kPaper = "Poirrier 2009, section 4.2";

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

}  // namespace

std::vector<SceneEntry> poirrier_scenes() {
  return {{{.name = "spheres",
            .summary = "equal spheres spread evenly, free to overlap; nothing moves",
            .paper = kPaper,
            .dim = 3,
            .default_objects = 10000,
            .default_frames = 11,
            .options = SpheresOptions::table().infos()},
           [](const SceneRequest& request) -> std::unique_ptr<Scene> {
             return std::make_unique<Spheres>(request);
           }}};
}

}  // namespace winnow::scene
