// Poirrier 2009, Tables 1 to 3: what splitting does to a linear kd-tree, and the time, candidates and memory
// of kd-tree-1 and kd-tree-2 on falling spheres. The paper does not give its interest space and code length:
// where the table says "as the paper splits" ours are the cube that the spheres start in (Table 1: their
// bounds) and 19 bits an axis. Our Delaunay triangulation walks on from neighbours to theirs, because its
// edges alone miss pairs: it has more candidates.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "bench/contender.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "scene/scene.hpp"
#include "winnow/methods/linear_kdtree.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

using Options = LinearKdtreeOptions;

constexpr double kSphereVolume = 0.52359877559829887;  // of diameter 1
constexpr std::size_t kFirstStep = 50, kLastStep = 60;
constexpr double kDensity = 0.1;
constexpr std::size_t kSlowStride = 5;  // steps 50, 55 and 60

// As plainly as the paper can be read: split while volume shrinks, deep codes, every frame from scratch.
const Options kPaperOptions = {.coherent = false, .small_enough = 0, .bits = 19};

// Falling spheres become a flat pile, but their space stays the cube that they start in: of this side.
double start_side(std::size_t objects) {
  return std::cbrt(static_cast<double>(objects) * kSphereVolume / kDensity);
}

std::unique_ptr<scene::Scene> open(const std::string& name, std::size_t objects, std::size_t frames,
                                   std::uint64_t seed, Settings settings = {}) {
  return scene::open_scene({name, objects, frames, seed, std::move(settings)});
}

bool spheres_touch(const Box3& a, const Box3& b) {
  float square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float d = (a.lo[axis] + a.hi[axis] - b.lo[axis] - b.hi[axis]) / 2;
    square += d * d;
  }
  return square <= 1;
}

std::uint64_t touching(const CollectSink& pairs, std::span<const Box3> boxes) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < pairs.parts(); ++i)
    for (const Pair pair : pairs.part(i)) count += spheres_touch(boxes[pair.a], boxes[pair.b]);
  return count;
}

double detail_of(const MethodStats& stats, const std::string& name) {
  for (const Stat& stat : stats.details)
    if (stat.name == name) return std::get<double>(stat.value);
  return 0;
}

// ---- Table 1

struct Splitting {
  double sub_elements = 0, volume = 0, selected = 0, true_positives = 0;
  bool exact = true;
};

// One frame of `spheres`: sums over seeds are taken by the caller.
Splitting place_spheres(const Options& options, BoxesView<3> boxes) {
  SerialExecutor executor;
  const double n = static_cast<double>(boxes.size());
  LinearKdtree<3> tree(options);
  tree.update(boxes, executor);
  std::atomic<std::uint64_t> selected{0}, touching{0};
  CallbackSink candidates([&](std::size_t, std::span<const Pair> pairs) {
    selected += pairs.size();
    for (const Pair pair : pairs) touching += spheres_touch(boxes[pair.a], boxes[pair.b]);
  });
  tree.find_candidates(executor, candidates);

  DigestSink unique, expected;
  AnyMethod<3> method = AnyMethod<3>::of(LinearKdtree<3>(options));
  method.update(boxes, executor);
  method.find_pairs(executor, unique);
  AnyMethod<3> brute_force = make_method<3>("brute_force");
  brute_force.update(boxes, executor);
  brute_force.find_pairs(executor, expected);
  const MethodStats stats = tree.stats();
  return {detail_of(stats, "sub_elements") / n, detail_of(stats, "cell_volume") / (n * kSphereVolume),
          static_cast<double>(selected), static_cast<double>(touching), unique.digest() == expected.digest()};
}

struct Table1Row {
  double d;
  Splitting off, on;
};
constexpr Table1Row kTable1[] = {
    {0.01, {1, 8.0275e6, 1261197, 389}, {6.37, 10.9362, 4928, 429}},
    {0.05, {1, 1.5836e6, 1834155, 1901}, {6.67, 10.8227, 25643, 2660}},
    {0.1, {1, 1.3439e6, 2300212, 3715}, {6.24, 13.4065, 62148, 6235}},
    {0.5, {1, 2.9324e6, 4193598, 16227}, {6.35, 13.4745, 280736, 63454}},
    {1.0, {1, 4.0032e6, 5552230, 28144}, {6.01, 12.5170, 492790, 72176}},
};

void run_table1(const ReproduceOptions&) {
  constexpr std::size_t kObjects = 10000, kSeeds = 4;
  SerialExecutor executor;
  bool exact = true;
  for (const bool split : {false, true}) {
    PaperTable table(fmt::format("Table 1, {} splitting, {} spheres, mean of {} seeds",
                                 split ? "with" : "without", kObjects, kSeeds),
                     {"d"}, {"sub-elements / N", "Vn / Ve", "selected pairs", "true positives"});
    for (const Table1Row& row : kTable1) {
      Splitting ours{0, 0, 0, 0, true};
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const auto scene = open("spheres", kObjects, 1, seed, {{"d", fmt::format("{}", row.d)}});
        scene->next(executor);
        Options options = kPaperOptions;
        options.split = split;
        const Splitting one = place_spheres(options, scene->boxes_3d());
        ours.sub_elements += one.sub_elements / kSeeds;
        ours.volume += one.volume / kSeeds;
        ours.selected += one.selected / kSeeds;
        ours.true_positives += one.true_positives / kSeeds;
        exact = exact && one.exact;
      }
      const Splitting& paper = split ? row.on : row.off;
      table.add({fmt::format("{}", row.d)}, {{paper.sub_elements, ours.sub_elements},
                                             {paper.volume, ours.volume},
                                             {paper.selected, ours.selected},
                                             {paper.true_positives, ours.true_positives}});
    }
    table.print();
  }
  fmt::print("unique pairs equal those of brute_force: {}\n", exact ? "yes" : "NO");
}

// ---- Tables 2 and 3

// kd-tree-1: candidates are handed over in blocks, with their repeats, for the caller's own test.
class Kd1 final : public Contender {
 public:
  Kd1(const Options& options, std::size_t threads) : tree_(options), executor_(make_executor(threads)) {}

  void update(std::span<const Box3> boxes) override { tree_.update(boxes, *executor_); }
  void find_pairs(PairSink&) override { tree_.find_candidates(*executor_, count_); }
  std::uint64_t candidates() const override { return count_.count(); }
  std::size_t memory_bytes() const override { return tree_.stats().memory_bytes; }

 private:
  LinearKdtree<3> tree_;
  std::unique_ptr<Executor> executor_;
  CountSink count_;
};

struct Mean {
  double sum = 0, count = 0;

  template <class Number>
  void add(Number value) {
    sum += static_cast<double>(value);
    ++count;
  }
  operator double() const { return count > 0 ? sum / count : 0; }
};

// One of those compared on the same steps, and its means.
struct Measured {
  explicit Measured(std::unique_ptr<Contender> c) : contender(std::move(c)) {}

  std::unique_ptr<Contender> contender;
  std::size_t stride = 1;  // the slow take part in every so many steps
  CollectSink sink;
  bool counts_spheres = false;  // that touch, among the pairs
  Mean ms, candidates, pairs, touching;
  double memory_mb = 0;  // of the method and the boxes; pairs go to the caller
};

std::unique_ptr<Measured> measured(std::unique_ptr<Contender> contender) {
  return std::make_unique<Measured>(std::move(contender));
}
std::unique_ptr<Measured> kd1(const Options& options, std::size_t threads) {
  return measured(std::make_unique<Kd1>(options, threads));
}
std::unique_ptr<Measured> method(std::string_view text, std::size_t threads) {
  return measured(parse_methods(text).at(0).make(threads));
}

// Steps 50 to 60 of falling spheres with d = 0.1, taken in turn by all, after step 49 to get warm; those
// before are not shown to anybody.
void run_steps(std::size_t objects, std::vector<Measured*> contenders) {
  const auto executor = make_executor(0);
  constexpr std::size_t kWarm = kFirstStep - 1;
  const auto scene =
      open("falling_spheres", objects, kLastStep - kWarm + 1, 1, {{"skip", fmt::format("{}", kWarm)}});
  for (std::size_t step = kWarm; scene->next(*executor); ++step) {
    const BoxesView<3> view = scene->boxes_3d();
    std::vector<Box3> boxes(view.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = view[i];
    std::ranges::rotate(contenders, contenders.begin() + 1);
    for (Measured* measured : contenders) {
      if (step % measured->stride != 0) continue;
      const Stopwatch watch;
      measured->contender->update(boxes);
      measured->contender->find_pairs(measured->sink);
      if (step == kWarm) continue;
      measured->ms.add(watch.ms());
      measured->candidates.add(measured->contender->candidates());
      measured->pairs.add(measured->sink.size());
      if (measured->counts_spheres) measured->touching.add(touching(measured->sink, boxes));
      const double bytes = static_cast<double>(measured->contender->memory_bytes()) +
                           static_cast<double>(objects * sizeof(Box3));
      measured->memory_mb = std::max(measured->memory_mb, bytes / 1e6);
    }
  }
}

using Value = std::optional<double>;  // empty where the paper has none

struct PaperRow {
  std::size_t objects;
  Value quadratic_ms, sweep_ms, delaunay_ms, kd1_ms, kd2_ms;
  Value sweep_candidates, delaunay_candidates, kd1_candidates, kd2_candidates;
  Value kd1_mb, kd2_mb;
};
const std::vector<PaperRow> kRows = {
    {50000, 23818, 64662, 11350, 211, 297, 471044, 365396, 3.30e6, 277806, 9, 18},
    {100000, 94813, 266840, 23616, 434, 620, 972680, 732000, 5.84e6, 565180, 17, 35},
    {500000, {}, {}, 118408, 2261, 3288, {}, 3.67e6, 35.8e6, 3.01e6, 82, 193},
    {1000000, {}, {}, 240563, 4194, 6153, {}, 7.34e6, 78.9e6, 6.01e6, 144, 353},
    {5000000, {}, {}, {}, 18885, 24205, {}, {}, 518e6, 30.4e6, 558, 1500},
};

bool in_range(const PaperRow& row, const ReproduceOptions& options) {
  return row.objects <= 1000000 || options.full;
}

void run_table2(const ReproduceOptions& options) {
  PaperTable ms("Table 2, ms per step, steps 50-60, d = 0.1", {"N"},
                {"quadratic", "S&P", "Delaunay", "kd1 as the paper splits", "kd1"});
  PaperTable candidates("Table 2, candidate pairs; of S&P the pairs it selects: overlapping boxes", {"N"},
                        {"S&P", "Delaunay", "kd1 as the paper splits", "kd1"});
  const bool with_delaunay = std::ranges::any_of(
      peers(), [](const ContenderEntry& peer) { return peer.info.name == "cgal_delaunay"; });
  for (const PaperRow& row : kRows) {
    if (!in_range(row, options)) continue;
    // The slow ones as far as the paper took them; with `full` the triangulation too. Three steps of them are
    // enough.
    const bool slow = row.objects <= 100000;
    const auto quadratic = method("brute_force", options.threads), sweep = method("sweep", options.threads);
    quadratic->stride = sweep->stride = kSlowStride;
    Options paper_options = kPaperOptions;
    paper_options.space_hi = start_side(row.objects);
    const auto faithful = kd1(paper_options, options.threads), ours = kd1({}, options.threads);
    std::unique_ptr<Measured> delaunay;
    std::vector<Measured*> all = {faithful.get(), ours.get()};
    if (slow) all.insert(all.end(), {quadratic.get(), sweep.get()});
    if (with_delaunay && (slow || (options.full && row.objects <= 1000000))) {
      delaunay = measured(parse_peers("cgal_delaunay").at(0).make(1));
      delaunay->stride = kSlowStride;
      all.push_back(delaunay.get());
    }
    run_steps(row.objects, all);
    const auto figure = [](Value paper, const Measured* measured, Mean Measured::*value) {
      return Figure{paper, measured ? std::optional<double>(measured->*value) : std::nullopt};
    };
    const std::vector<std::string> n = {fmt::format("{}", row.objects)};
    ms.add(n, {figure(row.quadratic_ms, slow ? quadratic.get() : nullptr, &Measured::ms),
               figure(row.sweep_ms, slow ? sweep.get() : nullptr, &Measured::ms),
               figure(row.delaunay_ms, delaunay.get(), &Measured::ms),
               figure(row.kd1_ms, faithful.get(), &Measured::ms),
               figure(row.kd1_ms, ours.get(), &Measured::ms)});
    candidates.add(n, {figure(row.sweep_candidates, slow ? sweep.get() : nullptr, &Measured::pairs),
                       figure(row.delaunay_candidates, delaunay.get(), &Measured::candidates),
                       figure(row.kd1_candidates, faithful.get(), &Measured::candidates),
                       figure(row.kd1_candidates, ours.get(), &Measured::candidates)});
  }
  ms.print();
  candidates.print();
}

void run_table3(const ReproduceOptions& options) {
  PaperTable ms("Table 3, ms per step, steps 50-60, d = 0.1", {"N"},
                {"kd1", "kd2", "kd2 as the paper splits"});
  PaperTable candidates("Table 3, candidate pairs; of kd2 those whose spheres touch", {"N"}, {"kd1", "kd2"});
  PaperTable memory("Table 3, MB: method and boxes (the paper's kd2 also keeps its list of pairs)", {"N"},
                    {"kd1", "kd2", "kd2 as the paper splits"});
  Table threads({"N", "kd1, 2 threads", "of 1", "kd2, 2 threads", "of 1"});
  Table coherence({"N", "kd2, all sorted anew", "of coherent"});
  for (const PaperRow& row : kRows) {
    if (!in_range(row, options)) continue;
    const auto one = kd1({}, 1), two = method("linear_kdtree", 1);
    const auto faithful = method(
        fmt::format("linear_kdtree:small_enough=0:bits=19:coherent=off:space_hi={}", start_side(row.objects)),
        1);
    const auto one_threaded = kd1({}, 2), two_threaded = method("linear_kdtree", 2);
    two->counts_spheres = true;
    const auto fresh = method("linear_kdtree:coherent=off", 1);
    run_steps(row.objects,
              {one.get(), two.get(), faithful.get(), one_threaded.get(), two_threaded.get(), fresh.get()});
    const std::string n = fmt::format("{}", row.objects);
    ms.add({n}, {{row.kd1_ms, one->ms}, {row.kd2_ms, two->ms}, {row.kd2_ms, faithful->ms}});
    candidates.add({n}, {{row.kd1_candidates, one->candidates}, {row.kd2_candidates, two->touching}});
    memory.add(
        {n}, {{row.kd1_mb, one->memory_mb}, {row.kd2_mb, two->memory_mb}, {row.kd2_mb, faithful->memory_mb}});
    threads.add({n, figure(one_threaded->ms), times(one->ms / one_threaded->ms), figure(two_threaded->ms),
                 times(two->ms / two_threaded->ms)});
    coherence.add({n, figure(fresh->ms), times(fresh->ms / two->ms)});
  }
  ms.print();
  candidates.print();
  memory.print();
  threads.print();
  coherence.print();
}

const Reproduction table1("poirrier-table1", "splitting: sub-elements, volumes, candidates", run_table1);
const Reproduction table2("poirrier-table2", "linear kd-tree against quadratic, S&P and Delaunay",
                          run_table2);
const Reproduction table3("poirrier-table3", "kd-tree-1 and kd-tree-2: time, candidates, memory", run_table3);

}  // namespace
}  // namespace winnow::bench
