// Serpa and Rodrigues 2019: Tables 1 and 2, Figures 1 and 9 to 12. Their machine was an i7-7700, their scenes
// 1000 frames of rigid bodies in Unity; ours are of the same kind (see scene/serpa.cpp), timed over some
// frames in the middle.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/compare.hpp"
#include "bench/race.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "winnow/registry.hpp"
#include "winnow/simd.hpp"

namespace winnow::bench {
namespace {

constexpr const char* kScenes[] = {"free_fall", "brownian", "gravity"};

// Frames before the first one timed: most have come to rest, are mixed, have gathered.
std::size_t frames_to_skip(const std::string& scene) {
  return scene == "free_fall" ? 400 : scene == "gravity" ? 150 : 10;
}

SceneOpener open_scene_of(const std::string& scene, const char* objects, std::size_t n, std::size_t skip,
                          const RaceOptions& race) {
  RaceSetup setup;
  setup.scene = parse_scene(fmt::format("{}:objects={}:skip={}", scene, objects, skip));
  setup.scene.objects = n;
  setup.race = race;
  return opener(setup);
}

// Median ms of a frame for each entry that was exact; those too slow or not built in are left out.
using Medians = std::map<std::string, double>;
Medians medians(const std::string& scene, const char* objects, std::size_t n, const std::string& methods,
                const std::string& peer_list, const ReproduceOptions& options) {
  std::vector<ContenderEntry> entries = parse_methods(methods);
  for (ContenderEntry& peer : parse_peers(peer_list)) entries.push_back(std::move(peer));
  const RaceOptions race_options{
      .threads = options.threads, .warmup = 5, .frames = n <= 4000 ? 40u : 15u, .slowest_seconds = 4};
  const RaceReport report =
      race(entries, open_scene_of(scene, objects, n, frames_to_skip(scene), race_options), race_options);
  Medians result;
  for (const Result& r : report.results) {
    if (!r.fault.empty() || r.ms.total.empty()) continue;
    if (!r.exact) throw Error("reproduce", r.info.name + " did not find the right pairs on " + scene);
    result[r.info.name] = summarise(r.ms.total).median;
  }
  return result;
}

std::optional<double> found(const Medians& medians, const std::string& name) {
  const auto it = medians.find(name);
  return it == medians.end() ? std::nullopt : std::optional<double>(it->second);
}

// The four rows of Tables 1 and 2, and who they are here.
struct Rival {
  const char* paper_name;
  const char* name;
};
constexpr Rival kRivals[] = {{"DBVT F", "bullet_dbvt_f"},
                             {"DBVT D", "bullet_dbvt_d"},
                             {"CGAL", "cgal_boxes"},
                             {"KD-Tree", "kdtree_sweep"}};
constexpr const char* kRivalPeers = "bullet_dbvt_f,bullet_dbvt_d,cgal_boxes";

// Thousands of objects 1, 2, 4, ...; ms of DBVT F, DBVT D, CGAL, KD-Tree.
using PaperRows = std::vector<std::array<double, 4>>;
struct PaperScene {
  const char* scene;
  PaperRows rows;
};

const std::vector<PaperScene>& table_1() {
  static const std::vector<PaperScene> table = {{"free_fall",
                                                 {{0.12, 0.29, 0.52, 0.04},
                                                  {0.30, 0.74, 1.38, 0.10},
                                                  {0.68, 1.84, 3.75, 0.21},
                                                  {1.47, 4.43, 9.99, 0.55},
                                                  {3.76, 13.43, 26.12, 1.15},
                                                  {8.90, 33.57, 73.86, 2.68},
                                                  {26.56, 92.69, 172.23, 6.05},
                                                  {42.78, 156.33, 325.47, 12.80},
                                                  {88.62, 348.99, 717.84, 25.19},
                                                  {198.04, 786.65, 1743.76, 53.40},
                                                  {630.89, 1887.57, 4085.13, 123.45}}},
                                                {"brownian",
                                                 {{0.67, 0.32, 0.37, 0.16},
                                                  {1.36, 0.72, 1.00, 0.29},
                                                  {3.07, 1.63, 2.51, 0.75},
                                                  {6.78, 3.64, 6.07, 1.55},
                                                  {14.79, 8.00, 14.51, 3.01},
                                                  {36.08, 20.53, 34.13, 6.38},
                                                  {101.68, 63.71, 84.28, 13.44},
                                                  {155.66, 90.24, 168.14, 29.22},
                                                  {355.57, 192.09, 365.53, 60.43},
                                                  {765.34, 406.57, 818.28, 123.75},
                                                  {1641.21, 854.59, 1813.24, 258.52}}},
                                                {"gravity",
                                                 {{1.18, 0.52, 0.73, 0.21},
                                                  {2.90, 1.27, 1.88, 0.50},
                                                  {6.82, 2.91, 4.58, 1.12},
                                                  {15.22, 6.40, 10.76, 2.65},
                                                  {35.78, 14.56, 25.32, 6.06},
                                                  {107.32, 38.41, 59.53, 13.16},
                                                  {292.75, 106.68, 132.26, 28.19},
                                                  {452.40, 183.30, 267.01, 62.70},
                                                  {971.81, 413.32, 573.87, 132.95},
                                                  {1962.63, 843.91, 1256.41, 266.79},
                                                  {3898.99, 1688.11, 2666.89, 539.27}}}};
  return table;
}

const std::vector<PaperScene>& table_2() {
  static const std::vector<PaperScene> table = {{"free_fall",
                                                 {{0.17, 0.52, 0.82, 0.05},
                                                  {0.43, 1.41, 2.19, 0.13},
                                                  {1.05, 3.63, 5.74, 0.30},
                                                  {2.51, 9.24, 15.17, 0.68},
                                                  {6.53, 26.05, 38.21, 1.56},
                                                  {19.53, 75.42, 96.01, 3.86}}},
                                                {"brownian",
                                                 {{0.78, 0.37, 0.52, 0.16},
                                                  {1.84, 0.85, 1.32, 0.34},
                                                  {4.24, 1.94, 3.30, 0.86},
                                                  {9.63, 4.32, 8.02, 1.67},
                                                  {21.63, 9.44, 19.01, 3.60},
                                                  {56.52, 24.31, 44.15, 7.69}}},
                                                {"gravity",
                                                 {{2.48, 1.00, 1.34, 0.31},
                                                  {6.44, 2.40, 3.26, 0.71},
                                                  {15.96, 5.62, 7.90, 1.70},
                                                  {37.77, 12.66, 18.41, 4.09},
                                                  {98.70, 32.40, 43.29, 9.20},
                                                  {281.58, 89.34, 99.75, 20.65}}}};
  return table;
}

// One row for each scene and number of objects `wanted` (of the paper's 1000 * 2^k).
template <class Wanted>
void run_table(const std::string& title, const std::vector<PaperScene>& scenes, const char* objects,
               const ReproduceOptions& options, Wanted wanted) {
  std::vector<std::string> quantities;
  for (const Rival& rival : kRivals) quantities.push_back(rival.paper_name);
  PaperTable table(title, {"scene", "objects"}, quantities);
  for (const PaperScene& scene : scenes) {
    for (std::size_t k = 0; k < scene.rows.size(); ++k) {
      const std::size_t n = std::size_t{1000} << k;
      if (!wanted(n, k)) continue;
      const Medians ours = medians(scene.scene, objects, n, "kdtree_sweep", kRivalPeers, options);
      std::vector<Figure> figures;
      for (std::size_t r = 0; r < std::size(kRivals); ++r)
        figures.push_back({scene.rows[k][r], found(ours, kRivals[r].name)});
      table.add({scene.scene, std::to_string(n)}, figures);
    }
  }
  table.print();
}

void run_table_1(const ReproduceOptions& options) {
  run_table("Table 1: cubes, ms a frame", table_1(), "cubes", options,
            [&](std::size_t n, std::size_t k) { return options.full || (n <= 64000 && k % 2 == 0); });
}

void run_table_2(const ReproduceOptions& options) {
  run_table("Table 2: assorted objects, ms a frame", table_2(), "assorted", options,
            [&](std::size_t n, std::size_t k) { return options.full || (n <= 16000 && k % 2 == 0); });
}

// The radar chart is Table 1 at a million objects.
void run_figure_1(const ReproduceOptions& options) {
  const std::size_t wanted = options.full ? 1024000 : 128000;
  run_table("Figure 1: the three scenes as three axes, ms a frame", table_1(), "cubes", options,
            [&](std::size_t n, std::size_t) { return n == wanted; });
}

std::size_t figure_objects(const ReproduceOptions& options) { return options.full ? 128000 : 32000; }

// Times of variants of kdtree_sweep, one row for each, one column for each scene.
struct Variant {
  std::string label;
  std::string settings;  // ":mode=complete"
};
std::vector<Medians> run_variants(const std::string& title, const std::vector<Variant>& variants,
                                  const ReproduceOptions& options) {
  const std::size_t n = figure_objects(options);
  std::string methods;
  for (const Variant& variant : variants)
    methods += fmt::format("{}kdtree_sweep{}", methods.empty() ? "" : ",", variant.settings);
  std::vector<Medians> by_scene;
  for (const char* scene : kScenes) by_scene.push_back(medians(scene, "cubes", n, methods, "none", options));

  fmt::print("{}, {} cubes, ms a frame\n", title, n);
  Table table({"", kScenes[0], kScenes[1], kScenes[2]});
  for (const Variant& variant : variants) {
    std::vector<std::string> cells{variant.label};
    for (const Medians& medians : by_scene) {
      const auto ms = found(medians, fmt::format("kdtree_sweep{}", variant.settings));
      cells.push_back(ms ? figure(*ms) : "-");
    }
    table.add(cells);
  }
  table.print();
  return by_scene;
}

// The shape of the tree that a leaf capacity makes of a frame.
MethodStats tree_stats(const char* scene, const std::string& capacity, const ReproduceOptions& options) {
  const RaceOptions race{.warmup = 0, .frames = 1};
  const FrameSource frames =
      open_scene_of(scene, "cubes", figure_objects(options), frames_to_skip(scene), race)();
  std::vector<Box3> boxes;
  frames(boxes);
  SerialExecutor executor;
  AnyMethod<3> method = make_method<3>("kdtree_sweep", {{"mode", "complete"}, {"leaf_capacity", capacity}});
  method.update(boxes, executor);
  return method.stats();
}

std::string detail_figure(const MethodStats& stats, const std::string& name, double scale = 1) {
  for (const Stat& stat : stats.details)
    if (stat.name == name) return figure(scale * std::get<double>(stat.value));
  return "-";
}

void run_figure_9(const ReproduceOptions& options) {
  std::vector<Variant> variants;
  for (std::size_t capacity = 16; capacity <= 32768; capacity *= 2)
    variants.push_back({std::to_string(capacity), fmt::format(":mode=complete:leaf_capacity={}", capacity)});
  const std::vector<Medians> by_scene = run_variants("Figure 9: leaf capacity T", variants, options);
  for (std::size_t s = 0; s < by_scene.size(); ++s) {
    const auto best = std::ranges::min_element(variants, {}, [&](const Variant& v) {
      return by_scene[s].at(fmt::format("kdtree_sweep{}", v.settings));
    });
    fmt::print("{}: best T {} (the paper: between 256 and 1024)\n", kScenes[s], best->label);
  }
  Table table({"T (brownian)", "leaf depth, mean", "leaf depth, most", "objects in leaves, %"});
  for (const Variant& variant : variants) {
    const MethodStats stats = tree_stats("brownian", variant.label, options);
    table.add({variant.label, detail_figure(stats, "mean leaf depth"), detail_figure(stats, "height"),
               detail_figure(stats, "in leaves", 100)});
  }
  table.print();
}

// The complete and the incremental way on the same frames.
class TwoWays {
 public:
  explicit TwoWays(std::size_t threads) : executor_(make_executor(threads)) {}

  struct Frame {
    double gain;     // complete over incremental
    double resting;  // share of the objects
  };
  Frame run(const std::vector<Box3>& boxes) {
    const double complete_ms = time(complete_, boxes), incremental_ms = time(incremental_, boxes);
    Frame frame{complete_ms / incremental_ms, 0};
    for (const Stat& stat : incremental_.stats().details)
      if (stat.name == "resting") frame.resting = std::get<double>(stat.value);
    return frame;
  }

  // The gain on one frame over and over.
  double gain_at_rest(const std::vector<Box3>& boxes) {
    std::vector<double> gains;
    for (int i = 0; i < 25; ++i) {
      const Frame frame = run(boxes);
      if (i >= 5) gains.push_back(frame.gain);
    }
    return summarise(gains).median;
  }

 private:
  double time(AnyMethod<3>& method, const std::vector<Box3>& boxes) {
    const Stopwatch watch;
    method.update(boxes, *executor_);
    method.find_pairs(*executor_, pairs_);
    return watch.ms();
  }

  std::unique_ptr<Executor> executor_;
  AnyMethod<3> complete_ = make_method<3>("kdtree_sweep", {{"mode", "complete"}});
  AnyMethod<3> incremental_ = make_method<3>("kdtree_sweep", {{"mode", "incremental"}});
  CollectSink pairs_;
};

// Frame by frame from the first fall to rest, and then at rest.
void run_figure_10(const ReproduceOptions& options) {
  struct Bin {
    double begin, end;  // per cent
    const char* papers;
    std::vector<double> gains{};
  };
  std::vector<Bin> bins = {{0, 10, "0.85-0.95"},  {10, 20, "0.85-0.95"}, {20, 30, "0.85-0.95"},
                           {30, 40, "0.85-0.95"}, {40, 50, "0.85-0.95"}, {50, 60, "about 1"},
                           {60, 70, "above 1"},   {70, 80, "above 1"},   {80, 90, "above 1"},
                           {90, 95, "above 1"},   {95, 99, "above 1"},   {99, 100.1, "above 1"}};
  const std::size_t n = options.full ? 32000 : 8000;
  const RaceOptions race{.threads = options.threads, .warmup = 0, .frames = 400};
  const FrameSource frames = open_scene_of("free_fall", "cubes", n, 0, race)();
  TwoWays ways(options.threads);
  std::vector<Box3> boxes;
  while (frames(boxes)) {
    const TwoWays::Frame frame = ways.run(boxes);
    const auto bin =
        std::ranges::find_if(bins, [&](const Bin& candidate) { return 100 * frame.resting < candidate.end; });
    bin->gains.push_back(frame.gain);
  }
  fmt::print("Figure 10: what the incremental way gains over the complete one, free_fall, {} cubes\n", n);
  Table table({"resting, %", "frames", "gain, median", "the paper's moving average"});
  for (const Bin& bin : bins)
    table.add({fmt::format("{:.0f}-{:.0f}", bin.begin, bin.end), std::to_string(bin.gains.size()),
               bin.gains.empty() ? "-" : times(summarise(bin.gains).median), bin.papers});
  table.print();

  for (const std::size_t count : {std::size_t{16000}, std::size_t{128000}}) {
    const FrameSource piled = open_scene_of("free_fall", "cubes", count, 200, {.warmup = 0, .frames = 1})();
    piled(boxes);
    fmt::print("at rest, frame 200 of {} cubes over and over: {}\n", count,
               times(TwoWays(options.threads).gain_at_rest(boxes)));
  }
}

// Each pruning alone and both, at each SIMD level.
void run_figure_11(const ReproduceOptions& options) {
  const SimdLevel best = simd_level();
  const std::vector<Variant> variants = {{"sweep only", ":mode=complete:pruning=sweep"},
                                         {"tree only", ":mode=complete:pruning=tree"},
                                         {"tree and sweep", ":mode=complete"}};
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    run_variants(fmt::format("Figure 11: pruning, {}", to_string(level)), variants, options);
  }
  set_simd_level(best);
}

void run_figure_12(const ReproduceOptions& options) {
  std::vector<Variant> variants;
  for (const char* mode : {"rebuild", "complete", "incremental", "adaptive"})
    variants.push_back({mode, fmt::format(":mode={}", mode)});
  const std::vector<Medians> by_scene = run_variants("Figure 12: temporal reasoning", variants, options);
  for (std::size_t s = 0; s < by_scene.size(); ++s) {
    const auto ms = [&](const char* mode) {
      return by_scene[s].at(fmt::format("kdtree_sweep:mode={}", mode));
    };
    fmt::print("{}: adaptive takes {} of the better of complete and incremental\n", kScenes[s],
               times(ms("adaptive") / std::min(ms("complete"), ms("incremental"))));
  }
}

const Reproduction items[] = {
    {"serpa-table1", "Serpa's kd-tree, Bullet and CGAL on three scenes of cubes", run_table_1},
    {"serpa-table2", "the same, objects of assorted shapes and sizes", run_table_2},
    {"serpa-fig1", "the three scenes at the largest size", run_figure_1},
    {"serpa-fig9", "leaf capacity T: time and shape of the tree", run_figure_9},
    {"serpa-fig10", "incremental against complete by the share of resting objects", run_figure_10},
    {"serpa-fig11", "tree and sweep, alone and together, by SIMD width", run_figure_11},
    {"serpa-fig12", "complete, incremental, adaptive and rebuilt", run_figure_12}};

}  // namespace
}  // namespace winnow::bench
