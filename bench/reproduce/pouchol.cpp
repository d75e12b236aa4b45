// Pouchol, Ahmad, Crespin and Terraz 2009, Figs 4-6: hierarchical hashing against multilevel hashing and
// kd-trees. The paper prints curves without numbers; its claims in words stand beside our ratios.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "bench/plain_hash.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "scene/scene.hpp"
#include "winnow/hash_grid.hpp"
#include "winnow/neighbours.hpp"

#if __has_include(<nanoflann.hpp>)
#define WINNOW_HAS_NANOFLANN
#include <nanoflann.hpp>
#endif

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

#ifdef WINNOW_HAS_NANOFLANN
template <int Dim>
struct Cloud {
  const std::vector<Point<Dim>>& points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i][axis]; }
  template <class Bounds>
  bool kdtree_get_bbox(Bounds&) const {
    return false;
  }
};

// All neighbours by a kd-tree, as compressed rows; the tree is built anew, as a moving cloud needs.
template <int Dim>
std::uint64_t by_nanoflann(const std::vector<Point<Dim>>& points, float radius,
                           std::vector<std::uint64_t>& offsets, std::vector<std::uint32_t>& ids) {
  const Cloud<Dim> cloud{points};
  using Metric = nanoflann::L2_Simple_Adaptor<float, Cloud<Dim>>;
  nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud<Dim>, Dim, std::uint32_t> tree(Dim, cloud, {10});
  tree.buildIndex();
  nanoflann::SearchParams unsorted;
  unsorted.sorted = false;
  std::vector<std::pair<std::uint32_t, float>> found;
  offsets.assign(1, 0);
  ids.clear();
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    tree.radiusSearch(points[i].data(), radius * radius, found, unsorted);
    for (const auto& [id, distance] : found)
      if (id != i) ids.push_back(id);
    offsets.push_back(ids.size());
  }
  return ids.size();
}
#endif

void run_fig5(const ReproduceOptions& options) {
  const std::size_t n = options.full ? 1000000 : 200000;
  // The paper's density: a million points in a square of 2^20.
  const double side = 1048576 * std::sqrt(static_cast<double>(n) / 1e6);
  std::mt19937 random(6);
  std::uniform_real_distribution<float> place(0, static_cast<float>(side));
  std::vector<Point<2>> points(n);
  for (Point<2>& point : points)
    for (float& x : point) x = place(random);
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
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> ids;
    std::vector<Timed> timed = {
        {"",
         [&] {
           search.find(points, radius, {.method = NeighbourMethod::hierarchical_hash}, executor, hashed);
         }},
        {"", [&] { search.find(points, radius, {}, executor, lists); }},
        {"", [&] { search.find(points, radius, {.rows = RowOrder::sorted}, executor, sorted); }}};
#ifdef WINNOW_HAS_NANOFLANN
    timed.push_back({"", [&] { by_nanoflann<2>(points, radius, offsets, ids); }});
#endif
    const std::vector<Summary> ms = time_interleaved(timed, 5, 20);
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::max<std::uint64_t>(most, lists.row(i).size());
    table.add({figure(radius), std::to_string(most), figure(ms[0].median), figure(ms[1].median),
               figure(ms[2].median), ms.size() > 3 ? figure(ms[3].median) : "-"});
  }
  table.print();
}

const Reproduction fig5("pouchol-fig5", "2D neighbours: hashing against a kd-tree and our sorted cells",
                        run_fig5);

// Section 4.2: particles of 2^-6 over 2000 static spheres of 2^-4 .. 2^-2; per frame, hashing all and asking
// for each.
void run_fig6(const ReproduceOptions& options) {
  constexpr std::size_t kSpheres = 2000;
  scene::SceneRequest request;
  request.scene = "fluid_over_spheres";
  request.objects = kSpheres + (options.full ? 100000 : 30000);
  request.frames = options.full ? 200 : 40;
  const auto scene = scene::open_scene(request);
  fmt::print(
      "A fluid of {} particles over {} spheres. Paper: hierarchical takes about 25 % less than multilevel.\n",
      scene->objects() - kSpheres, kSpheres);
  HashGrid<3> multilevel(HashScheme::multilevel), hierarchical(HashScheme::hierarchical);
  std::vector<double> ratios, multilevel_ms, hierarchical_ms, plain_ratios;
  SerialExecutor executor;
  while (scene->next(executor)) {
    const BoxesView<3> boxes = scene->boxes_3d();
    std::vector<Box3> spheres, particles;
    for (std::size_t i = 0; i < boxes.size(); ++i) (i < kSpheres ? spheres : particles).push_back(boxes[i]);
    const std::vector<int> classes = classes_of(spheres);
    std::size_t colliding = 0;
    const auto plain = [&](bool top_down) {
      PlainHash<3> hash(top_down, classes);
      for (std::uint32_t id = 0; id < spheres.size(); ++id) hash.insert(id, spheres[id]);
      colliding = query_all(hash, particles, spheres);
    };
    const auto ours = [&](HashGrid<3>& grid) {
      grid.build(spheres);
      colliding = query_all(grid, particles, spheres);
    };
    const std::vector<Timed> timed = {{"", [&] { ours(multilevel); }},
                                      {"", [&] { ours(hierarchical); }},
                                      {"", [&] { plain(false); }},
                                      {"", [&] { plain(true); }}};
    const std::vector<Summary> ms = time_interleaved(timed, 3, 10);
    multilevel_ms.push_back(ms[0].min);
    hierarchical_ms.push_back(ms[1].min);
    ratios.push_back(ms[0].min / ms[1].min);
    plain_ratios.push_back(ms[2].min / ms[3].min);
  }
  Table table({"", "ms per frame"});
  table.add({"multilevel_hash", figure(summarise(multilevel_ms).median)});
  table.add({"hierarchical_hash", figure(summarise(hierarchical_ms).median)});
  table.print();
  print_asked("hierarchical against multilevel, median over frames", summarise(ratios).median, 1.25);
  print_asked("the same for the plain reading of the paper", summarise(plain_ratios).median, 1.25);
}

const Reproduction fig6("pouchol-fig6", "fluid over spheres: hierarchical against multilevel hashing",
                        run_fig6);

// A dam: a jittered block in a mostly empty domain, and 1 % of spray.
std::vector<Point<3>> dam(std::size_t n) {
  std::mt19937 random(777);
  std::uniform_real_distribution<float> unit(0, 1);
  const std::size_t spray = n / 100, block = n - spray;
  const std::size_t edge = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(block) / 2)));
  std::vector<Point<3>> points;
  const auto jittered = [&](std::size_t x) { return static_cast<float>(x) + 0.2f * (unit(random) - 0.5f); };
  for (std::size_t i = 0; i < block; ++i)
    points.push_back({jittered(i / (edge * edge)), jittered(i / edge % edge), jittered(i % edge)});
  for (std::size_t i = 0; i < spray; ++i) {
    const float side = 10 * static_cast<float>(edge);
    points.push_back({unit(random) * side, unit(random) * side, unit(random) * side});
  }
  std::ranges::shuffle(points, random);
  return points;
}

std::vector<Point<3>> uniform(std::size_t n) {
  std::mt19937 random(778);
  std::uniform_real_distribution<float> unit(0, 1);
  std::vector<Point<3>> points(n);
  for (Point<3>& point : points)
    for (float& x : point) x = unit(random);
  return points;
}

void run_neighbours(const ReproduceOptions&) {
#ifndef WINNOW_HAS_NANOFLANN
  fmt::print("built without nanoflann (Debian: libnanoflann-dev)\n");
#else
  fmt::print("Full lists, about 30 neighbours a point, random input order.\n");
  Table table({"points", "n", "nanoflann ms", "caller's rows ms", "ratio", "sorted rows ms", "ratio",
               "2 threads", "bytes a point"},
              1);
  for (const std::size_t n : {100000, 1000000}) {
    for (const bool block : {false, true}) {
      const std::vector<Point<3>> points = block ? dam(n) : uniform(n);
      const float radius = block ? 2.0f : std::cbrt(30.0f / (static_cast<float>(n) * 4.18879f));
      std::vector<std::uint64_t> offsets;
      std::vector<std::uint32_t> ids;
      NeighbourSearch<3> search, sorted_search, two_search;
      Neighbours<3> lists, sorted, two;
      const auto one_thread = make_executor(1), two_threads = make_executor(2);
      const std::vector<Timed> timed = {
          {"", [&] { by_nanoflann<3>(points, radius, offsets, ids); }},
          {"", [&] { search.find(points, radius, {}, *one_thread, lists); }},
          {"", [&] { sorted_search.find(points, radius, {.rows = RowOrder::sorted}, *one_thread, sorted); }},
          {"", [&] { two_search.find(points, radius, {.rows = RowOrder::sorted}, *two_threads, two); }}};
      const std::vector<Summary> ms = time_interleaved(timed, n == 100000 ? 9 : 3, 60);
      if (ids.size() != lists.ids.size() || ids.size() != sorted.ids.size() || ids.size() != two.ids.size())
        fmt::print("WRONG: {} neighbours, {} by nanoflann\n", lists.ids.size(), ids.size());
      const double caller = ms[0].min / ms[1].min, in_order = ms[0].min / ms[2].min;
      table.add({block ? "dam" : "uniform", std::to_string(n), figure(ms[0].min), figure(ms[1].min),
                 times(caller), figure(ms[2].min), times(in_order), times(ms[2].min / ms[3].min),
                 figure(static_cast<double>(sorted_search.memory_bytes()) / static_cast<double>(n))});
      print_asked(fmt::format("{} {}: caller's rows", block ? "dam" : "uniform", n), caller,
                  n == 100000 ? 15 : 45);
      print_asked(fmt::format("{} {}: sorted rows", block ? "dam" : "uniform", n), in_order,
                  n == 100000 ? 22 : 70);
      if (n == 1000000) print_asked("two threads against one", ms[2].min / ms[3].min, 1.7);
    }
  }
  table.print();
#endif
}

const Reproduction neighbours_item("neighbours", "3D neighbours within a radius against nanoflann",
                                   run_neighbours);

}  // namespace
}  // namespace winnow::bench
