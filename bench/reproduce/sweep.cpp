// What the sweeps are asked for: `sweep` against the plainest sweep there is, and `sweep_persistent` against
// `sweep` where most boxes rest and where none does.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "scene/scene.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

// The plainest sweep: std::sort by the lower bound on the axis of greatest variance, then a double loop that
// stops where boxes begin after the first one ends.
class PlainSweep {
 public:
  void update(BoxesView<3> boxes, Executor&) {
    order_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) order_[i] = {boxes[i], static_cast<std::uint32_t>(i)};
    axis_ = widest_axis();
    std::ranges::sort(order_, {}, [this](const Entry& entry) { return entry.box.lo[axis_]; });
  }
  void find_pairs(Executor&, PairSink& sink) {
    sink.open(1);
    PairWriter& writer = sink.writer(0);
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (std::size_t j = i + 1; j < order_.size() && order_[j].box.lo[axis_] <= order_[i].box.hi[axis_];
           ++j)
        if (overlaps(order_[i].box, order_[j].box)) writer.write(ordered_pair(order_[i].id, order_[j].id));
    sink.close();
  }

 private:
  struct Entry {
    Box3 box;
    std::uint32_t id;
  };
  int widest_axis() const {
    std::array<double, 3> variance{};
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0, squares = 0;
      for (const Entry& entry : order_) {
        sum += entry.box.lo[axis];
        squares += static_cast<double>(entry.box.lo[axis]) * entry.box.lo[axis];
      }
      variance[axis] = squares - sum * sum / static_cast<double>(order_.size());
    }
    return static_cast<int>(std::ranges::max_element(variance) - variance.begin());
  }

  std::vector<Entry> order_;
  int axis_ = 0;
};

// Both methods over the same frames in turn; milliseconds of each frame.
struct Race {
  std::vector<double> first, second;
  bool same_pairs = true;
};

template <class First, class Second>
Race race(const scene::SceneRequest& request, First& first, Second& second) {
  const auto executor = make_executor(1);
  const auto frames = scene::open_scene(request);
  CollectSink first_pairs, second_pairs;
  Race race;
  const auto run = [&](auto& method, CollectSink& sink, std::vector<double>& ms) {
    const Stopwatch watch;
    method.update(frames->template boxes<3>(), *executor);
    method.find_pairs(*executor, sink);
    ms.push_back(watch.ms());
  };
  while (frames->next(*executor)) {
    run(first, first_pairs, race.first);
    run(second, second_pairs, race.second);
    PairDigest first_digest, second_digest;
    first_digest.add(first_pairs.part(0));
    second_digest.add(second_pairs.part(0));
    race.same_pairs &= first_digest == second_digest;
  }
  return race;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void add_row(Table& table, const std::string& scene, const std::string& name, const std::vector<double>& ms) {
  const Summary summary = summarise(ms);
  table.add(
      {scene, name, figure(summary.median), figure(mean(ms)), figure(summary.min), figure(summary.p95)});
}

void run_sweep(const ReproduceOptions&) {
  PlainSweep plain;
  AnyMethod<3> sweep = make_method<3>("sweep"), persistent = make_method<3>("sweep_persistent");
  const Race against_plain = race({.scene = "brownian", .objects = 16000, .frames = 60}, plain, sweep);
  const Race at_rest = race({.scene = "mostly_static", .objects = 100000, .frames = 60}, sweep, persistent);
  persistent = make_method<3>("sweep_persistent");
  const Race moving = race({.scene = "brownian", .objects = 16000, .frames = 120}, sweep, persistent);

  Table table({"scene", "method", "median ms", "mean ms", "fastest", "95 %"}, 2);
  add_row(table, "brownian 16,000", "std::sort sweep", against_plain.first);
  add_row(table, "", "sweep", against_plain.second);
  add_row(table, "mostly_static 100,000", "sweep", at_rest.first);
  add_row(table, "", "sweep_persistent", at_rest.second);
  add_row(table, "brownian 16,000", "sweep", moving.first);
  add_row(table, "", "sweep_persistent", moving.second);
  table.print();
  const bool same = against_plain.same_pairs && at_rest.same_pairs && moving.same_pairs;
  fmt::print("pairs of each frame are {}\n", same ? "the same" : "NOT THE SAME");
  print_asked("sweep against a std::sort sweep, brownian 16,000",
              summarise(against_plain.first).median / summarise(against_plain.second).median, 2);
  print_asked("sweep_persistent against sweep, mostly_static 100,000",
              summarise(at_rest.first).median / summarise(at_rest.second).median, 5);
  print_asked("sweep_persistent against sweep, brownian 16,000, mean of all frames",
              mean(moving.first) / mean(moving.second), 1.0 / 3);
}

const Reproduction sweep_item("sweep", "sweep against a plain one, sweep_persistent against sweep",
                              run_sweep);

}  // namespace
}  // namespace winnow::bench
