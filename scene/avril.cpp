// Avril, Gouranton and Arnaldi 2010, section V: cubes, balls and skittles that fall. Bodies with local
// geometry and transforms: boxes come from every point of their meshes, as in the paper's first stage.
#include "scene/body_scene.hpp"
#include "scene/meshes.hpp"
#include "scene/random.hpp"

namespace winnow::scene {
namespace {

constexpr float kEarthPull = 10;    // units per second squared
constexpr double kRoom = 20;        // volume of the space above the ground, over the bodies'
constexpr double kSpread = 1.5;     // area of the ground, over the bodies' when they lie side by side
constexpr std::size_t kTiled = 20;  // one object in twenty is a tile of the uneven ground
constexpr float kUneven = 2;        // units; how far tiles differ in height

// What falls: its mesh, and the brick or ball that the engine takes it for.
struct Kind {
  std::vector<Vector3> points;
  Vec3 half;
  Form form = Form::brick;
  bool uneven_ground = false;
};

class AvrilScene final : public BodyScene {
 public:
  AvrilScene(const SceneRequest& request, const Kind& kind) : BodyScene(request, 0) {
    const std::size_t tiles = kind.uneven_ground ? request.objects / kTiled : 0;
    const double falling = static_cast<double>(request.objects - tiles);
    const Vec3 edges = kind.half * 2;
    const double longest = std::max({edges.x, edges.y, edges.z});
    side_ = static_cast<float>(std::max(2 * longest, std::sqrt(kSpread * falling * edges.y * edges.z)));
    const double volume = falling * edges.x * edges.y * edges.z;
    height_ = static_cast<float>(std::max(2 * longest, kRoom * volume / (side_ * side_)));

    const Shapes::Id falling_shape = shapes_.add_points(kind.points);
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < request.objects; ++i) {
      bodies.push_back(i < tiles ? tile(i, tiles) : falling_body(i, kind));
      const Vec3 half = bodies.back().half;
      shape_ids_.push_back(i < tiles ? shapes_.add_box({half.x, half.y, half.z}) : falling_shape);
    }
    const World world{.bounds = {{0, 0, 0}, {side_, side_, 4 * height_}}, .sleeps = true};
    start(make_light_engine(world, std::move(bodies)));
  }

  std::optional<BodiesView> bodies() const override {
    return BodiesView{poses_of(engine().bodies()), shape_ids_, shapes_};
  }

 private:
  Vec3 pull(std::size_t, const Body&) const override { return {0, 0, -kEarthPull}; }

  Body falling_body(std::size_t i, const Kind& kind) const {
    Random random(seed_, i);
    Body body;
    body.half = kind.half;
    body.form = kind.form;
    body.rotation = random.rotation();
    body.spin = random.in_ball() * 3.0f;
    const double x = random.uniform(0, side_), y = random.uniform(0, side_);
    const double z = kUneven + random.uniform(0, height_);
    body.position = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    return body;
  }

  // Tile i of a chessboard of columns.
  Body tile(std::size_t i, std::size_t tiles) const {
    std::size_t rows = 1;
    while (rows * rows < tiles) ++rows;
    const float edge = side_ / static_cast<float>(rows);
    const auto height = static_cast<float>(Random(seed_, i).uniform(0.1, kUneven));
    Body body;
    body.inverse_mass = 0;
    body.half = {edge / 2, edge / 2, height / 2};
    body.position = {edge * (static_cast<float>(i % rows) + 0.5f),
                     edge * (static_cast<float>(i / rows) + 0.5f), height / 2};
    return body;
  }

  void make_boxes(Executor& executor) override {
    update_boxes(*bodies(), executor, columns_);
    parallel_for(executor, boxes_.size(), kObjectGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) boxes_[i] = columns_[i];
    });
  }

  float side_, height_;
  Shapes shapes_;
  std::vector<Shapes::Id> shape_ids_;
  Boxes<3> columns_;
};

SceneEntry entry(const char* name, const char* summary, std::size_t objects,
                 std::unique_ptr<Scene> (*make)(const SceneRequest&)) {
  return {{.name = name,
           .summary = summary,
           .paper = "Avril, Gouranton and Arnaldi 2010, section V",
           .dim = 3,
           .default_objects = objects,
           .default_frames = 200,
           .options = {}},
          make};
}

std::unique_ptr<Scene> make_cubes(const SceneRequest& request) {
  return std::make_unique<AvrilScene>(
      request,
      Kind{.points = cube_points(), .half = {0.5f, 0.5f, 0.5f}, .form = Form::brick, .uneven_ground = true});
}

std::unique_ptr<Scene> make_balls(const SceneRequest& request) {
  return std::make_unique<AvrilScene>(
      request, Kind{.points = ball_points(16), .half = {0.5f, 0.5f, 0.5f}, .form = Form::ball});
}

std::unique_ptr<Scene> make_skittles(const SceneRequest& request) {
  return std::make_unique<AvrilScene>(request,
                                      Kind{.points = skittle_points(100, 25), .half = {0.4f, 0.4f, 1.5f}});
}

}  // namespace

std::vector<SceneEntry> avril_scenes() {
  return {entry("cubes", "cubes of 12 triangles fall on an uneven ground of tiles", 20'000, make_cubes),
          entry("balls", "balls of 2048 triangles fall on a plane", 10'000, make_balls),
          entry("skittles", "concave skittles of 20,000 triangles fall on a plane", 3'500, make_skittles)};
}

}  // namespace winnow::scene
