// Serpa and Rodrigues 2019, section 4: free_fall, brownian and gravity, with equal cubes or assorted objects.
// The world is a cube of 50 times the volume of all objects, the pull a tenth of its side per second squared,
// a frame 1/30 s.
#include <algorithm>

#include "scene/body_scene.hpp"
#include "scene/random.hpp"

namespace winnow::scene {
namespace {

constexpr double kWorldVolume = 50;     // times the objects'
constexpr float kPull = 0.1f;           // sides of the world per second squared
constexpr float kStep = 1.0f / 30;      // seconds
constexpr float kBrownianSpeed = 0.1f;  // sides of the world per second
constexpr float kBrownianDrag = 0.05f;

enum Purpose : std::uint64_t { kShape, kPlace, kSpeed, kKick, kCentre };

struct SerpaOptions {
  enum class Objects { cubes, assorted } objects = Objects::cubes;
  enum class Engine { light, bullet } engine = Engine::light;
  enum class Start { spread, packed } start = Start::spread;
  std::size_t skip = 0;  // frames

  static const OptionTable<SerpaOptions>& table() {
    static const auto table =
        OptionTable<SerpaOptions>()
            .choice("objects", &SerpaOptions::objects,
                    {{"cubes", Objects::cubes}, {"assorted", Objects::assorted}},
                    "equal cubes, or bars, planks, squares, big, small and random cubes")
            .choice("engine", &SerpaOptions::engine, {{"light", Engine::light}, {"bullet", Engine::bullet}},
                    "our own for up to millions of objects, or Bullet's rigid bodies")
            .choice("start", &SerpaOptions::start, {{"spread", Start::spread}, {"packed", Start::packed}},
                    "all over the world, or close together in its middle")
            .integer("skip", &SerpaOptions::skip, 0, 1'000'000, "frames",
                     "frames that pass before the first one shown");
    return table;
  }
};

// Edges of an assorted object before all are scaled to the volume of as many unit cubes.
Vec3 assorted_edges(std::size_t i, std::uint64_t seed) {
  switch (i % 6) {
    case 0:
      return {8, 0.4f, 0.4f};  // bar
    case 1:
      return {4, 1, 0.25f};  // plank
    case 2:
      return {2.5f, 2.5f, 0.2f};  // square
    case 3:
      return {1.8f, 1.8f, 1.8f};  // big cube
    case 4:
      return {0.5f, 0.5f, 0.5f};  // small cube
    default: {
      const float edge = static_cast<float>(Random(seed, i, kShape).uniform(0.5, 1.5));
      return {edge, edge, edge};
    }
  }
}

std::vector<Vec3> edges_of(const SceneRequest& request, const SerpaOptions& options) {
  std::vector<Vec3> edges(request.objects, Vec3{1, 1, 1});
  if (options.objects == SerpaOptions::Objects::cubes) return edges;
  double volume = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = assorted_edges(i, request.seed);
    volume += static_cast<double>(edges[i].x) * edges[i].y * edges[i].z;
  }
  const float scale = static_cast<float>(cube_root(static_cast<double>(edges.size()) / volume));
  for (Vec3& edge : edges) edge *= scale;
  return edges;
}

class SerpaScene : public BodyScene {
 protected:
  SerpaScene(const SceneRequest& request, World world)
      : SerpaScene(request, world, SerpaOptions::table().make(request.settings)) {}

  float side() const { return side_; }

 private:
  SerpaScene(const SceneRequest& request, World world, const SerpaOptions& options)
      : BodyScene(request, options.skip),
        side_(static_cast<float>(cube_root(kWorldVolume * static_cast<double>(request.objects)))) {
    const float half = side_ / 2;
    world.bounds = {{-half, -half, -half}, {half, half, half}};
    world.step = kStep;
    const bool light = options.engine == SerpaOptions::Engine::light;
    start((light ? make_light_engine : make_bullet_engine)(world, bodies(request, options)));
  }

  std::vector<Body> bodies(const SceneRequest& request, const SerpaOptions& options) const {
    const std::vector<Vec3> edges = edges_of(request, options);
    std::vector<Body> bodies(edges.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Random place(request.seed, i, kPlace), speed(request.seed, i, kSpeed);
      Body& body = bodies[i];
      body.half = edges[i] * 0.5f;
      body.inverse_mass = 1 / (edges[i].x * edges[i].y * edges[i].z);
      body.rotation = place.rotation();
      body.position = options.start == SerpaOptions::Start::packed ? packed(place) : spread(place, body);
      body.velocity = speed.in_ball() * (kBrownianSpeed * side_);
      body.spin = speed.in_ball() * 3.0f;
    }
    return bodies;
  }

  // Anywhere that keeps the whole body inside.
  Vec3 spread(Random& random, const Body& body) const {
    const Box<3> about_origin = box_of(body);
    Vec3 position;
    for (int axis = 0; axis < 3; ++axis) {
      const double room = std::max(0.0, side_ / 2.0 - about_origin.hi[axis]);
      position[axis] = static_cast<float>(random.uniform(-room, room));
    }
    return position;
  }

  // In a ball that the bodies just about fill.
  Vec3 packed(Random& random) const {
    constexpr double kFilled = 0.55, kUnitBall = 4.18879;
    const double share = 1 / (kWorldVolume * kFilled * kUnitBall);
    return random.in_ball() * static_cast<float>(side_ * cube_root(share));
  }

  float side_;
};

class FreeFall final : public SerpaScene {
 public:
  explicit FreeFall(const SceneRequest& request)
      : SerpaScene(request, {.bounds = {}, .bounce = 0.2f, .sleeps = true}) {}

 private:
  Vec3 pull(std::size_t, const Body&) const override { return {0, 0, -kPull * side()}; }
};

class Brownian final : public SerpaScene {
 public:
  explicit Brownian(const SceneRequest& request)
      : SerpaScene(request, {.bounds = {}, .drag = kBrownianDrag, .bounce = 1, .friction = 0}) {}

 private:
  // Kicks that keep up the speed against the drag: mean square 3/5 of the ball's, summed over the time that
  // drag forgets.
  Vec3 pull(std::size_t i, const Body&) const override {
    const float kept = 1 - kBrownianDrag;
    const float kick = kBrownianSpeed * side() * std::sqrt((1 - kept * kept) / (kept * kept)) / kStep;
    return Random(seed_, i, kKick + 16 * time()).in_ball() * kick;
  }
};

// All are drawn to a centre that wanders through the world.
class Gravity final : public SerpaScene {
 public:
  explicit Gravity(const SceneRequest& request)
      : SerpaScene(request, {.bounds = {}, .drag = 0.02f, .friction = 0, .crowd = 12}) {}

 private:
  static constexpr std::size_t kLeg = 150;  // frames from one resting place of the centre to the next

  void before_step() override {
    const std::size_t leg = time() / kLeg;
    const float along = static_cast<float>(time() % kLeg) / static_cast<float>(kLeg);
    centre_ = place(leg) * (1 - along) + place(leg + 1) * along;
  }
  Vec3 place(std::size_t leg) const {
    if (leg == 0) return {};
    return Random(seed_, leg, kCentre).in_cube(-0.3, 0.3) * side();
  }
  Vec3 pull(std::size_t, const Body& body) const override {
    const Vec3 way = centre_ - body.position;
    return way * (kPull * side() / std::max(length(way), 1.0f));
  }

  Vec3 centre_;
};

SceneInfo info(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .paper = "Serpa and Rodrigues 2019, section 4",
          .dim = 3,
          .default_objects = 16000,
          .default_frames = 1000,
          .options = SerpaOptions::table().infos()};
}

}  // namespace

std::vector<SceneEntry> serpa_scenes() {
  return {
      {info("free_fall", "objects fall to the floor and come to rest: coherent"), make_scene<FreeFall>},
      {info("brownian", "objects fill the world and move at random: uniform, incoherent"),
       make_scene<Brownian>},
      {info("gravity", "objects crowd around a wandering centre: dense, incoherent"), make_scene<Gravity>}};
}

}  // namespace winnow::scene
