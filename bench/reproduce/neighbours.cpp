// Neighbours within a radius: ours against nanoflann, on points spread evenly and on a dam's block of water
// in a mostly empty domain, about 29 neighbours a point, in random order.
#include "winnow/neighbours.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bench/peers/nanoflann.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "winnow/error.hpp"
#include "winnow/pair.hpp"

namespace winnow::bench {
namespace {

struct Cloud {
  const char* name;
  std::vector<Point<3>> points;
  float radius;
};

// A block of this shape, in which a ball of the radius holds 30 points; one point in a hundred is spray,
// anywhere in a domain ten times as long.
Cloud make_cloud(const char* name, std::size_t n, Point<3> block, double spray) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(0, 1);
  Cloud cloud{name, std::vector<Point<3>>(n), 0};
  for (Point<3>& point : cloud.points) {
    const float scale = unit(random) < spray ? 10.0f : 1.0f;
    for (int axis = 0; axis < 3; ++axis) point[axis] = unit(random) * block[axis] * scale;
  }
  const double density = (1 - spray) * static_cast<double>(n) / (double{block[0]} * block[1] * block[2]);
  cloud.radius = static_cast<float>(std::cbrt(30 / (density * 4 / 3 * std::numbers::pi)));
  return cloud;
}

// Equal for equal lists, whatever the order of rows and of neighbours in a row.
PairDigest digest(const PlainLists& lists) {
  PairDigest sum;
  for (std::uint32_t i = 0; i + 1 < lists.offsets.size(); ++i)
    for (std::uint64_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) sum.add(Pair{i, lists.ids[k]});
  return sum;
}
PairDigest digest(const Neighbours<3>& lists) {
  PairDigest sum;
  for (std::uint32_t k = 0; k < lists.rows(); ++k)
    for (const std::uint32_t j : lists.row(k)) sum.add(Pair{lists.row_ids.empty() ? k : lists.row_ids[k], j});
  return sum;
}

// One of our ways to search, with the room it keeps from run to run.
struct Ours {
  NeighbourSearch<3> search;
  Neighbours<3> lists;
  NeighbourOptions<3> options;
  std::unique_ptr<Executor> executor;

  Ours(RowOrder rows, std::size_t threads) : executor(make_executor(threads)) { options.rows = rows; }
  void run(const Cloud& cloud) { search.find(cloud.points, cloud.radius, options, *executor, lists); }
};

void compare_on(const Cloud& cloud, double asked_caller, double asked_sorted, Table& table) {
  PlainLists theirs;
  Ours caller(RowOrder::caller, 1), sorted(RowOrder::sorted, 1), caller2(RowOrder::caller, 2),
      sorted2(RowOrder::sorted, 2);
  const std::vector<Timed> timed = {
      {"nanoflann", [&] { nanoflann_neighbours(cloud.points, cloud.radius, theirs); }},
      {"caller's order", [&] { caller.run(cloud); }},
      {"sorted order", [&] { sorted.run(cloud); }},
      {"caller's order, 2 threads", [&] { caller2.run(cloud); }, [&] { wake(*caller2.executor); }},
      {"sorted order, 2 threads", [&] { sorted2.run(cloud); }, [&] { wake(*sorted2.executor); }}};
  const std::vector<Summary> ms = time_interleaved(timed, 7, 30);
  // Two threads against one without nanoflann in turn: right after its seconds, in which the second core is
  // idle, two threads are slower.
  const std::vector<Summary> ours_ms = time_interleaved(std::span(timed).subspan(1), 11, 10);
  const PairDigest truth = digest(theirs);
  for (const Ours* ours : {&caller, &sorted, &caller2, &sorted2})
    if (digest(ours->lists) != truth)
      throw Error("neighbours", fmt::format("{}: lists differ from nanoflann's", cloud.name));

  const std::size_t n = cloud.points.size();
  // `one` is the same search on one thread. Medians of some ms on two threads vary with who else wants the
  // second core, so both ratios are shown.
  const auto speed_up = [&](std::size_t i, std::size_t one, double Summary::*time) {
    return one == i ? "" : times(ours_ms[one - 1].*time / (ours_ms[i - 1].*time));
  };
  const auto add = [&](std::size_t i, std::size_t one, const std::string& asked, const Ours* ours) {
    table.add({cloud.name, timed[i].name, std::to_string(n), figure(ms[i].median), figure(ms[i].min),
               times(ms[0].median / ms[i].median), speed_up(i, one, &Summary::median),
               speed_up(i, one, &Summary::min), asked,
               ours == nullptr
                   ? "-"
                   : figure(static_cast<double>(ours->search.memory_bytes()) / static_cast<double>(n))});
  };
  const std::string asked_threads = n >= 1000000 ? "1.7x one thread" : "";
  add(0, 0, "", nullptr);
  add(1, 1, fmt::format("{}x", asked_caller), &caller);
  add(2, 2, fmt::format("{}x", asked_sorted), &sorted);
  add(3, 1, asked_threads, &caller2);
  add(4, 2, asked_threads, &sorted2);
}

void run_neighbours(const ReproduceOptions&) {
  fmt::print("Full lists of neighbours, random order of points, exact: all lists are the same sets\n");
  Table table(
      {"points", "", "n", "ms", "fastest", "x nanoflann", "x one thread", "fastest", "asked", "bytes/point"},
      2);
  for (const std::size_t n : {100000, 1000000}) {
    const double asked_caller = n == 100000 ? 15 : 45, asked_sorted = n == 100000 ? 22 : 70;
    compare_on(make_cloud("uniform", n, {1, 1, 1}, 0), asked_caller, asked_sorted, table);
    compare_on(make_cloud("dam", n, {1, 0.5f, 0.5f}, 0.01), asked_caller, asked_sorted, table);
  }
  table.print();
}

const Reproduction neighbours_item(
    "neighbours", "neighbours within a radius against nanoflann, 100,000 and 1,000,000 points",
    run_neighbours);

}  // namespace
}  // namespace winnow::bench
