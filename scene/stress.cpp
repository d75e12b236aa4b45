#include "scene/stress.hpp"

#include "winnow/method.hpp"

namespace winnow::scene {
namespace {

constexpr float kDrift = 0.05f;  // units a frame; cubes have edges of 1

// Cubes as in brownian: a world of 50 times their volume.
struct Uniform {
  using Options = NoOptions;
  Uniform(const Options&, std::size_t objects, std::uint64_t scene_seed)
      : n(objects), seed(scene_seed), side(cube_root(50.0 * static_cast<double>(objects))) {}

  Place place(std::size_t i, std::size_t) const { return place_with(i, 0); }
  Place place_with(std::size_t i, std::uint64_t stream) const {
    Random random(seed, i, stream);
    Place place;
    place.centre = uniform_point(random, side);
    place.half = turned_cube(random, 1);
    place.motion = random.in_ball() * kDrift;
    return place;
  }

  std::size_t n;
  std::uint64_t seed;
  double side;
};

struct OneGiant : Uniform {
  using Uniform::Uniform;
  Place place(std::size_t i, std::size_t frame) const {
    Place place = Uniform::place(i, frame);
    if (i == n / 2) {
      place.centre = {side / 2, side / 2, side / 2};
      place.half = Vec3{1, 1, 1} * static_cast<float>(side);
    }
    return place;
  }
};

struct HugeFew : Uniform {
  using Uniform::Uniform;
  Place place(std::size_t i, std::size_t frame) const {
    Place place = Uniform::place(i, frame);
    if (i % 1000 == 7) place.half *= static_cast<float>(0.15 * side);
    return place;
  }
};

struct Outliers : Uniform {
  using Uniform::Uniform;
  Place place(std::size_t i, std::size_t frame) const {
    Place place = Uniform::place(i, frame);
    if (i >= 3 && i + 3 <= n) return place;
    for (double& c : place.centre) c = (c / side - 0.5) * 4e6;
    return place;
  }
};

struct TwoClusters : Uniform {
  using Uniform::Uniform;
  Place place(std::size_t i, std::size_t frame) const {
    Place place = Uniform::place(i, frame);
    for (double& c : place.centre) c = 0.8 * c + (i % 2 == 0 ? 0 : 1e6);
    return place;
  }
};

struct MostlyStatic : Uniform {
  using Uniform::Uniform;
  Place place(std::size_t i, std::size_t frame) const {
    Place place = Uniform::place(i, frame);
    place.motion *= Random(seed, i, 1).below(100) == 0 ? 10.0f : 0.0f;
    return place;
  }
};

struct Teleport : Uniform {
  using Uniform::Uniform;
  // Object i jumps when frame + i is a multiple of 10.
  Place place(std::size_t i, std::size_t frame) const {
    Place place = place_with(i, (frame + i % 10) / 10);
    place.motion *= 0;
    return place;
  }
};

struct AllCoincident {
  using Options = NoOptions;
  AllCoincident(const Options&, std::size_t, std::uint64_t) {}
  Place place(std::size_t, std::size_t) const { return {}; }
};

enum class Axis { x, y, z, diagonal };

struct AxisOptions {
  Axis axis = Axis::x;
  static const OptionTable<AxisOptions>& table() {
    static const auto table = OptionTable<AxisOptions>().choice(
        "axis", &AxisOptions::axis,
        {{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}, {"diagonal", Axis::diagonal}},
        "the direction of the row");
    return table;
  }
};

struct Row {
  using Options = AxisOptions;
  Row(const Options& options, std::size_t objects, std::uint64_t scene_seed)
      : axis(options.axis), length(0.5 * static_cast<double>(objects)), seed(scene_seed) {}

  Place place(std::size_t i, std::size_t) const {
    Random random(seed, i);
    Place place;
    place.centre = uniform_point(random, 1);
    const double along = random.uniform(0, length);
    for (int k = 0; k < 3; ++k)
      if (axis == Axis::diagonal || static_cast<int>(axis) == k) place.centre[k] += along;
    place.half = turned_cube(random, 1);
    place.motion = random.in_ball() * kDrift;
    return place;
  }

  Axis axis;
  double length;
  std::uint64_t seed;
};

struct SheetOptions {
  Axis across = Axis::z;
  static const OptionTable<SheetOptions>& table() {
    static const auto table = OptionTable<SheetOptions>().choice(
        "across", &SheetOptions::across, {{"x", Axis::x}, {"y", Axis::y}, {"z", Axis::z}},
        "the axis on which the sheet is thin");
    return table;
  }
};

struct Sheet {
  using Options = SheetOptions;
  Sheet(const Options& options, std::size_t objects, std::uint64_t scene_seed)
      : across(static_cast<int>(options.across)),
        side(std::sqrt(8.0 * static_cast<double>(objects))),
        seed(scene_seed) {}

  Place place(std::size_t i, std::size_t) const {
    Random random(seed, i);
    Place place;
    place.centre = uniform_point(random, side);
    place.centre[across] = random.uniform();
    place.half = turned_cube(random, 1);
    place.motion = random.in_ball() * kDrift;
    return place;
  }

  int across;
  double side;
  std::uint64_t seed;
};

struct ClustersOptions {
  std::size_t clusters = 1000;
  static const OptionTable<ClustersOptions>& table() {
    static const auto table = OptionTable<ClustersOptions>().integer(
        "clusters", &ClustersOptions::clusters, 1, 1'000'000, "clusters", "how many there are");
    return table;
  }
};

// Balls of eight times their objects' volume, in a world of 30 times brownian's side.
struct Clusters {
  using Options = ClustersOptions;
  Clusters(const Options& options, std::size_t objects, std::uint64_t scene_seed)
      : clusters(options.clusters),
        side(30 * cube_root(50.0 * static_cast<double>(objects))),
        radius(static_cast<float>(
            cube_root(6 / 3.14159265358979 * static_cast<double>(objects) / static_cast<double>(clusters)))),
        seed(scene_seed) {}

  Place place(std::size_t i, std::size_t) const {
    Random random(seed, i);
    Random centre(seed, random.below(clusters), 1);
    Place place;
    place.centre = uniform_point(centre, side);
    const Vec3 offset = random.in_ball() * radius;
    for (int axis = 0; axis < 3; ++axis) place.centre[axis] += offset[axis];
    place.half = turned_cube(random, 1);
    place.motion = random.in_ball() * kDrift;
    return place;
  }

  std::size_t clusters;
  double side;
  float radius;
  std::uint64_t seed;
};

struct PowerLawOptions {
  std::size_t decades = 4;
  static const OptionTable<PowerLawOptions>& table() {
    static const auto table = OptionTable<PowerLawOptions>().integer(
        "decades", &PowerLawOptions::decades, 1, 6, "decades", "from the smallest edge, 1, to the largest");
    return table;
  }
};

// P(edge > s) = s^-1/2 up to the largest edge M. The world is chosen for about two pairs an object: a pair
// overlaps with probability E[(s + t)^3] / side^3, and E[s^3] = M^5/2 / 5.
struct PowerLaw {
  using Options = PowerLawOptions;
  PowerLaw(const Options& options, std::size_t objects, std::uint64_t scene_seed) : seed(scene_seed) {
    for (std::size_t k = 0; k < options.decades; ++k) largest *= 10;
    side = cube_root(0.25 * static_cast<double>(objects) * largest * largest * std::sqrt(largest));
  }

  Place place(std::size_t i, std::size_t) const {
    Random random(seed, i);
    const double u = 1 - random.uniform() * (1 - 1 / std::sqrt(largest));
    const auto edge = static_cast<float>(1 / (u * u));
    Place place;
    place.centre = uniform_point(random, side);
    place.half = turned_cube(random, edge);
    place.motion = random.in_ball() * (kDrift * edge);
    return place;
  }

  double largest = 1, side = 1;
  std::uint64_t seed;
};

// Blocks of four buildings wall to wall, streets between them, and one object in fifty a car.
struct City {
  using Options = NoOptions;
  City(const Options&, std::size_t objects, std::uint64_t scene_seed) : cars(objects / 50), seed(scene_seed) {
    const std::size_t blocks = (objects - cars + 3) / 4;
    while (rows * rows < blocks) ++rows;
  }

  Place place(std::size_t i, std::size_t) const { return i < cars ? car(i) : building(i); }

  Place building(std::size_t i) const {
    const std::size_t number = i - cars, block = number / 4;
    const double u = Random(seed, i).uniform();
    const double height = 5 + 55 * u * u * u;
    Place place;
    place.centre = {kPitch * static_cast<double>(block % rows) + kWall * static_cast<double>(number % 2),
                    kPitch * static_cast<double>(block / rows) + kWall * static_cast<double>(number / 2 % 2),
                    height / 2};
    place.half = {kWall / 2, kWall / 2, static_cast<float>(height / 2)};
    return place;
  }

  // Drives to and fro along a street.
  Place car(std::size_t i) const {
    Random random(seed, i);
    const int along = static_cast<int>(random.below(2));
    Place place;
    place.centre[along] = random.uniform(0, kPitch * static_cast<double>(rows));
    place.centre[1 - along] = kPitch * static_cast<double>(random.below(rows)) + 14 + random.uniform(-1, 1);
    place.centre[2] = 0.75;
    place.half = {0.9f, 0.9f, 0.75f};
    place.half[along] = 2.2f;
    place.motion[along] = 1;
    return place;
  }

  static constexpr float kWall = 8, kPitch = 20;  // units; a building, a block and its street
  std::size_t cars, rows = 1;
  std::uint64_t seed;
};

// A packed ball whose cubes fly apart, each at a speed of its own.
struct Explosion {
  using Options = NoOptions;
  Explosion(const Options&, std::size_t objects, std::uint64_t scene_seed)
      : radius(static_cast<float>(cube_root(static_cast<double>(objects) / (kFilled * 4.18879)))),
        seed(scene_seed) {}

  Place place(std::size_t i, std::size_t frame) const {
    Random random(seed, i);
    const Vec3 start = random.in_ball() * radius;
    const double growth = 1 + random.uniform(0.02, 0.1) * static_cast<double>(frame);
    Place place;
    for (int axis = 0; axis < 3; ++axis) place.centre[axis] = start[axis] * growth;
    place.half = turned_cube(random, 1);
    return place;
  }

  static constexpr double kFilled = 0.5;  // of the ball's volume, at first
  float radius;
  std::uint64_t seed;
};

}  // namespace

std::vector<SceneEntry> stress_scenes() {
  return {stress_entry<OneGiant>("one_giant", "uniform cubes and one box over all of them"),
          stress_entry<HugeFew>("huge_few", "uniform cubes, one in a thousand of them huge"),
          stress_entry<AllCoincident>("all_coincident", "every box the same", 2000),
          stress_entry<Row>("row", "one long row along an axis or the diagonal"),
          stress_entry<Sheet>("sheet", "one thin layer"),
          stress_entry<Clusters>("clusters", "a thousand dense balls far apart"),
          stress_entry<TwoClusters>("two_clusters", "two uniform worlds, a million units apart"),
          stress_entry<Outliers>("outliers", "uniform cubes and five strays up to two million units away"),
          stress_entry<PowerLaw>("power_law_sizes", "edges spread over four to six decades"),
          stress_entry<City>("city", "static blocks wall to wall and a few cars"),
          stress_entry<Explosion>("explosion", "from packed to far apart"),
          stress_entry<MostlyStatic>("mostly_static", "uniform cubes of which one in a hundred moves"),
          stress_entry<Teleport>("teleport", "uniform cubes of which a tenth jumps each frame")};
}

}  // namespace winnow::scene
