// What SIMD and a second thread bring to brute_force: Avril, Gouranton and Arnaldi's second stage, whose even
// shares are what scales.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "bench/timing.hpp"
#include "winnow/registry.hpp"
#include "winnow/simd.hpp"

namespace winnow::bench {
namespace {

// Cubes at random places, about one overlapping pair an object.
std::vector<Box3> random_cubes(std::size_t n) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(0, std::cbrt(static_cast<float>(n)));
  std::vector<Box3> boxes(n);
  for (Box3& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = place(random);
      box.hi[axis] = box.lo[axis] + 0.6f;
    }
  }
  return boxes;
}

void run_brute_force(const ReproduceOptions&) {
  constexpr std::size_t kObjects = 16000;
  const std::vector<Box3> boxes = random_cubes(kObjects);
  AnyMethod<3> method = make_method<3>("brute_force");
  CollectSink pairs;
  const SimdLevel best = simd_level();

  const auto timed = [&](SimdLevel level, std::size_t threads) {
    const std::shared_ptr<Executor> executor = make_executor(threads);
    return Timed{fmt::format("{}, {} thread{}", to_string(level), threads, threads == 1 ? "" : "s"),
                 [&, executor] {
                   method.update(boxes, *executor);
                   method.find_pairs(*executor, pairs);
                 },
                 [level, executor] {
                   set_simd_level(level);
                   wake(*executor);
                 }};
  };
  const std::vector<Timed> candidates = {timed(SimdLevel::scalar, 1), timed(best, 1), timed(best, 2)};
  const std::vector<Summary> ms = time_interleaved(candidates, 15);
  set_simd_level(best);

  fmt::print("brute_force, {} boxes, {} pairs\n", kObjects, pairs.size());
  Table table({"", "ms", "fastest", "Mtests/ms"});
  const double tests = 0.5 * kObjects * (kObjects - 1) / 1e6;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    table.add({candidates[i].name, figure(ms[i].median), figure(ms[i].min), figure(tests / ms[i].median)});
  table.print();
  print_asked(fmt::format("{} against the scalar twin", to_string(best)), ms[0].median / ms[1].median, 5);
  print_asked("two threads against one", ms[1].median / ms[2].median, 1.8);
}

const Reproduction brute_force("brute-force", "SIMD against scalar, two threads against one, 16,000 boxes",
                               run_brute_force);

}  // namespace
}  // namespace winnow::bench
