// Pouchol, Ahmad, Crespin and Terraz 2009, Figs 4-6: hierarchical hashing against multilevel hashing and
// kd-trees. The paper prints curves without numbers; its claims in words stand beside our ratios.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "bench/peers/nanoflann.hpp"
#include "bench/plain_hash.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "scene/scene.hpp"
#include "winnow/hash_grid.hpp"
#include "winnow/neighbours.hpp"

namespace winnow::bench {
namespace {

// Section 4.1: 10 % of the objects about 2^10 large, 25 % about 2^6, the rest about 2^3, in a square of 2^13.
std::vector<Box2> objects_2d(std::size_t n) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> place(0, 8192), vary(0.5f, 1.5f), kind(0, 1);
  std::vector<Box2> boxes(n);
  for (Box2& box : boxes) {
    const float k = kind(random);
    const float mean = k < 0.10f ? 1024.0f : k < 0.35f ? 64.0f : 8.0f;
    for (int axis = 0; axis < 2; ++axis) {
      box.lo[axis] = place(random);
      box.hi[axis] = box.lo[axis] + mean * vary(random);
    }
  }
  return boxes;
}

// A million motions of at most 2^4, as the boxes of their paths.
std::vector<Box2> motions_2d(std::size_t n) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> place(0, 8192), angle(0, 6.2831853f), length(0, 16);
  std::vector<Box2> boxes(n);
  for (Box2& box : boxes) {
    const float x = place(random), y = place(random), a = angle(random), l = length(random);
    const float to_x = x + l * std::cos(a), to_y = y + l * std::sin(a);
    box = {{std::min(x, to_x), std::min(y, to_y)}, {std::max(x, to_x), std::max(y, to_y)}};
  }
  return boxes;
}

// Queries all boxes; returns how many have a candidate that truly overlaps.
template <int Dim, class Structure>
std::size_t query_all(const Structure& structure, const std::vector<Box<Dim>>& queries,
                      const std::vector<Box<Dim>>& objects) {
  std::vector<std::uint32_t> ids;
  std::size_t colliding = 0;
  for (const Box<Dim>& query : queries) {
    ids.clear();
    structure.candidates(query, ids);
    bool hit = false;
    for (const std::uint32_t id : ids) hit |= overlaps(query, objects[id]);
    colliding += hit;
  }
  return colliding;
}

template <int Dim>
std::vector<int> classes_of(const std::vector<Box<Dim>>& boxes) {
  std::vector<bool> present(300);
  for (const Box<Dim>& box : boxes) {
    double edge = 0;
    for (int axis = 0; axis < Dim; ++axis) edge = std::max<double>(edge, box.hi[axis] - box.lo[axis]);
    present[static_cast<std::size_t>(std::ceil(std::log2(std::max(edge, 1e-30))) + 150)] = true;
  }
  std::vector<int> classes;
  for (int c = 299; c >= 0; --c)
    if (present[static_cast<std::size_t>(c)]) classes.push_back(c - 150);
  return classes;
}

void run_fig4(const ReproduceOptions& options) {
  const std::vector<Box2> queries = motions_2d(options.full ? 1000000 : 300000);
  fmt::print(
      "Broad phase in 2D: {} motions against N objects. Paper: hierarchical at least 2x faster than "
      "multilevel,\n"
      "memory overhead at most 10 %. Times are for all queries, insertion apart.\n",
      queries.size());
  Table table({"objects", "colliding", "multilevel ms", "hierarchical ms", "ratio", "memory",
               "plain multilevel ms", "plain hierarchical ms", "plain ratio", "plain memory"});
  double low = 0, plain_low = 0, worst_memory = 0;
  for (const std::size_t n : {10, 30, 100, 300, 1000, 3000}) {
    const std::vector<Box2> objects = objects_2d(n);
    HashGrid<2> multilevel(HashScheme::multilevel), hierarchical(HashScheme::hierarchical);
    PlainHash<2> plain_multilevel(false, classes_of(objects)), plain_hierarchical(true, classes_of(objects));
    multilevel.build(objects);
    hierarchical.build(objects);
    for (std::uint32_t id = 0; id < n; ++id) {
      plain_multilevel.insert(id, objects[id]);
      plain_hierarchical.insert(id, objects[id]);
    }
    std::size_t colliding = 0;
    const std::vector<Timed> timed = {
        {"", [&] { colliding = query_all(multilevel, queries, objects); }},
        {"", [&] { colliding = query_all(hierarchical, queries, objects); }},
        {"", [&] { colliding = query_all(plain_multilevel, queries, objects); }},
        {"", [&] { colliding = query_all(plain_hierarchical, queries, objects); }}};
    const std::vector<Summary> ms = time_interleaved(timed, 5, 20);
    const double share = static_cast<double>(colliding) / static_cast<double>(queries.size());
    const double ratio = ms[0].median / ms[1].median, plain = ms[2].median / ms[3].median;
    const double memory = static_cast<double>(hierarchical.stats().memory_bytes) /
                          static_cast<double>(multilevel.stats().memory_bytes);
    const double plain_memory = static_cast<double>(plain_hierarchical.memory_bytes()) /
                                static_cast<double>(plain_multilevel.memory_bytes());
    if (share < 0.05) {
      low = low == 0 ? ratio : std::min(low, ratio);
      plain_low = plain_low == 0 ? plain : std::min(plain_low, plain);
    }
    worst_memory = std::max(worst_memory, memory);
    table.add({std::to_string(n), fmt::format("{:.1f} %", 100 * share), figure(ms[0].median),
               figure(ms[1].median), times(ratio), times(memory), figure(ms[2].median), figure(ms[3].median),
               times(plain), times(plain_memory)});
  }
  table.print();
  print_asked("hierarchical against multilevel while under 5 % collide", low, 2);
  print_asked("the same for the plain reading of the paper", plain_low, 2);
  fmt::print("largest memory of hierarchical against multilevel: {} (asked: at most 1.20x)\n",
             times(worst_memory));
}

const Reproduction fig4("pouchol-fig4", "2D broad phase: hierarchical against multilevel hashing", run_fig4);

void run_fig5(const ReproduceOptions& options) {
  const std::size_t n = options.full ? 1000000 : 200000;
  // The paper's density: a million points in a square of 2^20.
  const double side = 1048576 * std::sqrt(static_cast<double>(n) / 1e6);
  std::mt19937 random(6);
  std::uniform_real_distribution<float> place(0, static_cast<float>(side));
  std::vector<Point<2>> points(n);
  for (Point<2>& point : points)
    for (float& x : point) x = place(random);
  std::vector<Point<3>> flat;  // the kd-tree's, in a plane
  for (const Point<2>& point : points) flat.push_back({point[0], point[1], 0});
  fmt::print(
      "Neighbours of {} points in 2D. Paper: hierarchical hashing competes with uniform hashing below five\n"
      "neighbours; above, the kd-tree is best.\n",
      n);
  Table table({"radius", "most neighbours", "hierarchical hash ms", "automatic ms",
               "automatic, sorted rows ms", "kd-tree (nanoflann) ms"});
  SerialExecutor executor;
  for (const float radius : {100.0f, 300.0f, 600.0f, 1200.0f, 2400.0f}) {
    NeighbourSearch<2> search;
    Neighbours<2> lists, sorted, hashed;
    PlainLists tree_lists;
    std::vector<Timed> timed = {
        {"",
         [&] {
           search.find(points, radius, {.method = NeighbourMethod::hierarchical_hash}, executor, hashed);
         }},
        {"", [&] { search.find(points, radius, {}, executor, lists); }},
        {"", [&] { search.find(points, radius, {.rows = RowOrder::sorted}, executor, sorted); }}};
    timed.push_back({"", [&] { nanoflann_neighbours(flat, radius, tree_lists); }});
    const std::vector<Summary> ms = time_interleaved(timed, 5, 20);
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::max<std::uint64_t>(most, lists.row(i).size());
    table.add({figure(radius), std::to_string(most), figure(ms[0].median), figure(ms[1].median),
               figure(ms[2].median), figure(ms[3].median)});
  }
  table.print();
}

const Reproduction fig5("pouchol-fig5", "2D neighbours: hashing against a kd-tree and our sorted cells",
                        run_fig5);

constexpr std::size_t kSpheres = 2000;

// One frame of section 4.2: spheres, and the walls if asked for, stand still; particles move.
struct FluidFrame {
  std::vector<Box3> solids, paths;

  FluidFrame(BoxesView<3> boxes, BoxesView<3> before, double side, bool walls) {
    for (std::size_t i = 0; i < kSpheres; ++i) solids.push_back(boxes[i]);
    const auto far = static_cast<float>(side);
    for (int axis = 0; walls && axis < 3; ++axis) {
      Box3 near_wall{{0, 0, 0}, {far, far, far}}, far_wall = near_wall;
      near_wall.hi[axis] = 0;
      far_wall.lo[axis] = far;
      solids.insert(solids.end(), {near_wall, far_wall});
    }
    for (std::size_t i = kSpheres; i < boxes.size(); ++i) {
      Box3 path = boxes[i];
      for (int axis = 0; axis < 3; ++axis) {
        path.lo[axis] = std::min(path.lo[axis], before.lo(axis, i));
        path.hi[axis] = std::max(path.hi[axis], before.hi(axis, i));
      }
      paths.push_back(path);
    }
  }
};

// What each structure takes for a frame: hashing all solids, asking for each particle's path, testing.
class FluidTimes {
 public:
  void measure(const FluidFrame& frame) {
    const std::vector<int> classes = classes_of(frame.solids);
    std::size_t colliding = 0;
    const auto plain = [&](bool top_down) {
      PlainHash<3> hash(top_down, classes);
      for (std::uint32_t id = 0; id < frame.solids.size(); ++id) hash.insert(id, frame.solids[id]);
      colliding = query_all(hash, frame.paths, frame.solids);
    };
    const auto ours = [&](HashGrid<3>& grid) {
      grid.build(frame.solids);
      colliding = query_all(grid, frame.paths, frame.solids);
    };
    const std::vector<Timed> timed = {{"", [&] { ours(multilevel_); }},
                                      {"", [&] { ours(hierarchical_); }},
                                      {"", [&] { plain(false); }},
                                      {"", [&] { plain(true); }}};
    const std::vector<Summary> ms = time_interleaved(timed, 3, 10);
    for (std::size_t i = 0; i < ms.size(); ++i) ms_[i].push_back(ms[i].min);
    ratios_.push_back(ms[0].min / ms[1].min);
    plain_ratios_.push_back(ms[2].min / ms[3].min);
    memory_.push_back(static_cast<double>(hierarchical_.stats().memory_bytes) /
                      static_cast<double>(multilevel_.stats().memory_bytes));
    colliding_.push_back(static_cast<double>(colliding) / static_cast<double>(frame.paths.size()));
  }

  double ms(std::size_t i) const { return summarise(ms_[i]).median; }
  double ratio() const { return summarise(ratios_).median; }
  double plain_ratio() const { return summarise(plain_ratios_).median; }
  double colliding() const { return summarise(colliding_).median; }
  double memory() const { return summarise(memory_).median; }

 private:
  HashGrid<3> multilevel_{HashScheme::multilevel}, hierarchical_{HashScheme::hierarchical};
  std::array<std::vector<double>, 4> ms_;
  std::vector<double> ratios_, plain_ratios_, colliding_, memory_;
};

// A part of the run, of which every so manieth frame is measured.
struct FluidPhase {
  const char* name;
  std::size_t frames, every;
  std::array<FluidTimes, 2> times{};  // without and with walls
};

// Lets the fluid fall in a box of this size and come to rest.
std::array<FluidPhase, 2> run_fluid(scene::SceneRequest request, double side, bool full) {
  std::array<FluidPhase, 2> phases{{{"falling", 200, full ? 5u : 10u}, {"at rest", 800, full ? 50u : 200u}}};
  request.frames = phases[0].frames + phases[1].frames;
  request.settings = {{"side", fmt::format("{}", side)}};
  const auto scene = scene::open_scene(request);
  SerialExecutor executor;
  Boxes<3> before;
  for (FluidPhase& phase : phases)
    for (std::size_t frame = 1; frame <= phase.frames && scene->next(executor); ++frame) {
      const BoxesView<3> boxes = scene->boxes_3d();
      if (before.size() != 0 && frame % phase.every == 0)
        for (const bool walls : {false, true})
          phase.times[walls].measure(FluidFrame(boxes, before.view(), side, walls));
      before.assign(boxes);
    }
  return phases;
}

// Section 4.2: particles of 2^-6 over 2000 static spheres of 2^-4 .. 2^-2; 1000 frames, in each of which all
// solids are hashed and each particle asks. The paper tells neither how many particles there are, nor the
// size of its box, nor what its walls are made of, and these decide how much empty space there is to skip: so
// boxes from dense to sparse, without walls and with walls of one box each.
void run_fig6(const ReproduceOptions& options) {
  scene::SceneRequest request;
  request.scene = "fluid_over_spheres";
  request.objects = kSpheres + (options.full ? 100000 : 30000);
  fmt::print(
      "A fluid of {} particles over {} spheres, 1000 frames: 200 while it falls and 800 at rest.\n"
      "Paper: hierarchical takes about 25 % less than multilevel, and at most 20 % more memory.\n"
      "Times are for hashing the solids, the candidates of each particle's path, and their tests.\n",
      request.objects - kSpheres, kSpheres);
  Table table({"box", "walls", "fluid", "colliding", "multilevel ms", "hierarchical ms", "ratio", "memory",
               "plain multilevel ms", "plain hierarchical ms", "plain ratio"});
  std::vector<std::pair<std::string, std::array<double, 2>>> whole_runs;
  for (const double side : {4.0, 8.0, 16.0}) {
    const std::array<FluidPhase, 2> phases = run_fluid(request, side, options.full);
    for (const bool walls : {false, true}) {
      std::array<double, 4> ms{};  // of all frames
      for (const FluidPhase& phase : phases) {
        const FluidTimes& t = phase.times[walls];
        table.add({figure(side), walls ? "6" : "none", phase.name,
                   fmt::format("{:.1f} %", 100 * t.colliding()), figure(t.ms(0)), figure(t.ms(1)),
                   times(t.ratio()), times(t.memory()), figure(t.ms(2)), figure(t.ms(3)),
                   times(t.plain_ratio())});
        for (std::size_t i = 0; i < ms.size(); ++i) ms[i] += t.ms(i) * static_cast<double>(phase.frames);
      }
      whole_runs.push_back({fmt::format("box of {}, {}", side, walls ? "six walls" : "no walls"),
                            {ms[0] / ms[1], ms[2] / ms[3]}});
    }
  }
  table.print();
  fmt::print(
      "Plain is the paper's listings on the standard hash map. Ours joins size classes into one level and, "
      "for "
      "the\n"
      "hierarchy, adds maps of where objects are, which the paper has not. In the box of 4 spheres reach "
      "into "
      "nearly\n"
      "every cell; at rest all particles lie on the floor, and with walls none is spared the largest "
      "level.\n");
  for (const auto& [setting, ratios] : whole_runs) {
    print_asked("hierarchical against multilevel, all frames, " + setting, ratios[0], 1.25);
    print_asked("the same for the plain reading of the paper", ratios[1], 1.25);
  }
}

const Reproduction fig6("pouchol-fig6", "fluid over spheres: hierarchical against multilevel hashing",
                        run_fig6);

}  // namespace
}  // namespace winnow::bench
