// What is asked of the default method: few boxes, many boxes, a second thread, layouts that are hard, memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/compare.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

RaceSetup setup_of(const std::string& scene, std::size_t objects, std::size_t threads, std::size_t frames) {
  RaceSetup setup{.scene = parse_scene(scene), .race = {.threads = threads, .warmup = 1, .frames = frames}};
  setup.scene.objects = objects;
  setup.scene.frames = frames + 1;
  return setup;
}

// On one thread, beside the floors.
RaceReport run_race(const std::string& scene, std::size_t objects, const std::string& methods,
                    std::size_t frames) {
  const RaceSetup setup = setup_of(scene, objects, 1, frames);
  std::vector<ContenderEntry> entries = parse_methods(methods);
  for (ContenderEntry& floor : floors()) entries.push_back(std::move(floor));
  return race(entries, opener(setup), setup.race);
}

double median_ms(const RaceReport& report, const std::string& name) {
  return summarise(report.result(name).ms.total).median;
}
double fastest_ms(const RaceReport& report, const std::string& name) {
  return summarise(report.result(name).ms.total).min;
}
double pairs_a_frame(const RaceReport& report) {
  return static_cast<double>(report.digest.count) / static_cast<double>(report.frames);
}

// Few objects are many frames' worth of work for a clock: each sample is a run of frames.
void few() {
  Table table({"objects", "tile_sweep us", "brute_force us", "tile_sweep / brute_force"});
  double worst = 0;
  for (const std::size_t n : {10, 20, 50, 100, 150, 200, 500, 1000}) {
    const auto scene = scene::open_scene({.scene = "brownian", .objects = n, .frames = 1});
    const auto executor = make_executor(1);
    scene->next(*executor);
    std::vector<Box3> boxes;
    for (std::size_t i = 0; i < n; ++i) boxes.push_back(scene->boxes_3d()[i]);
    const std::size_t frames = 40000 / n + 10;
    std::vector<AnyMethod<3>> methods;
    methods.push_back(make_method<3>("tile_sweep"));
    methods.push_back(make_method<3>("brute_force"));
    CollectSink pairs;
    std::vector<Timed> timed;
    for (AnyMethod<3>& method : methods)
      timed.push_back({"", [&, frames] {
                         for (std::size_t frame = 0; frame < frames; ++frame) {
                           method.update(boxes, *executor);
                           method.find_pairs(*executor, pairs);
                         }
                       }});
    const std::vector<Summary> ms = time_interleaved(timed, 25);
    const double us = 1000 / static_cast<double>(frames), ratio = ms[0].median / ms[1].median;
    worst = std::max(worst, ratio);
    table.add({std::to_string(n), figure(ms[0].median * us), figure(ms[1].median * us), times(ratio)});
  }
  fmt::print("Few objects, brownian\n");
  table.print();
  fmt::print("never slower than brute_force: {}\n\n", worst <= 1.02 ? "yes" : "NO");
}

// One race in which the method takes part twice, with one thread and with two. Medians show what else the
// machine does to a second thread, the fastest frames what the method makes of one.
void threads() {
  Table table({"scene", "objects", "1 thread ms", "2 threads ms", "speed-up", "by fastest frames"}, 2);
  for (const char* scene : {"brownian", "gravity:skip=100", "free_fall", "brownian:objects=assorted"}) {
    for (const std::size_t n : {1000, 64000, 128000, 1000000}) {
      if (n == 1000000 && std::string_view(scene) == "gravity:skip=100") scene = "gravity:start=packed";
      RaceSetup setup = setup_of(scene, n, 1, n == 1000 ? 200 : n == 1000000 ? 8 : 60);
      std::vector<ContenderEntry> entries{parse_methods("tile_sweep")[0], parse_methods("tile_sweep")[0]};
      entries[1].info.name = "tile_sweep, 2 threads";
      entries[1].make = [make = entries[0].make](std::size_t) { return make(2); };
      const RaceReport report = race(entries, opener(setup), setup.race);
      const double one = median_ms(report, "tile_sweep"), two = median_ms(report, "tile_sweep, 2 threads");
      const double by_fastest =
          fastest_ms(report, "tile_sweep") / fastest_ms(report, "tile_sweep, 2 threads");
      table.add({scene, std::to_string(n), figure(one), figure(two), times(one / two), times(by_fastest)});
    }
  }
  fmt::print("A second thread\n");
  table.print();
  fmt::print("\n");
}

void hard(std::size_t n, std::size_t frames) {
  const std::string others = "kdtree_sweep:mode=complete,linear_kdtree";
  Table table({"scene", "pairs", "tile_sweep ms", "ns / (object + pair)", "of brownian's", "floors",
               "fastest other ms"});
  double brownian = 0;
  for (const char* scene : {"brownian", "one_giant", "huge_few", "row:axis=x", "row:axis=y", "row:axis=z",
                            "row:axis=diagonal", "sheet", "clusters", "two_clusters", "outliers",
                            "power_law_sizes", "power_law_sizes:decades=6", "city", "explosion"}) {
    const RaceReport report = run_race(scene, n, "tile_sweep," + others, frames);
    const double ms = median_ms(report, "tile_sweep"), pairs = pairs_a_frame(report);
    const double ns = 1e6 * ms / (static_cast<double>(n) + pairs);
    if (brownian == 0) brownian = ns;
    double other = 1e300;
    for (const Result& result : report.results)
      if (result.info.kind == "method" && result.info.name != "tile_sweep" && !result.ms.total.empty())
        other = std::min(other, summarise(result.ms.total).median);
    table.add({scene, figure(pairs), figure(ms), figure(ns), times(ns / brownian),
               times(ms / report.floor_ms()), figure(other)});
  }
  fmt::print("Hard layouts, {} objects; the others are {}\n", n, others);
  table.print();
  const RaceReport coincident = run_race("all_coincident", 5000, "tile_sweep", 10);
  const double ms = median_ms(coincident, "tile_sweep"), written = median_ms(coincident, "floor_write");
  fmt::print("all_coincident, 5000 objects: {} ms, {} times writing its pairs\n\n", figure(ms),
             figure(ms / written));
}

void growth(bool full) {
  Table table({"objects", "ms", "ns an object", "floors", "bytes an object beside input and pairs"});
  for (const std::size_t n : {1000, 16000, 128000, 1000000, 10000000}) {
    if (n > 1000000 && !full) continue;
    const RaceReport report = run_race("brownian", n, "tile_sweep", n > 1000000 ? 2 : 8);
    const double ms = median_ms(report, "tile_sweep"), objects = static_cast<double>(n);
    table.add({std::to_string(n), figure(ms), figure(1e6 * ms / objects), times(ms / report.floor_ms()),
               figure(static_cast<double>(report.result("tile_sweep").memory_bytes) / objects)});
  }
  fmt::print("Growth, brownian\n");
  table.print();
}

void run_auto(const ReproduceOptions& options) {
  few();
  threads();
  hard(1000000, options.full ? 5 : 2);
  growth(options.full);
}

const Reproduction tile_sweep_item("tile_sweep",
                                   "the default method: few, many, two threads, hard layouts, memory",
                                   run_auto);

}  // namespace
}  // namespace winnow::bench
