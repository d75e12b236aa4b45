// One box against a run of boxes, at every SIMD level the machine has.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simd/overlap.hpp"
#include "winnow/simd.hpp"

namespace winnow {
namespace {

// Unit cubes, so placed that about this share of them overlaps the unit cube in the middle.
Boxes<3> cubes(std::size_t n, double share) {
  std::mt19937 random(1);
  const float half = std::cbrt(static_cast<float>(1 / share));
  std::uniform_real_distribution<float> place(-half, half);
  Boxes<3> boxes;
  boxes.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Box3 box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = place(random);
      box.hi[axis] = box.lo[axis] + 1;
    }
    boxes.set(i, box);
  }
  return boxes;
}

void overlap_run_at(benchmark::State& state, SimdLevel level, double share) {
  const SimdLevel before = simd_level();
  set_simd_level(level);
  const std::size_t n = static_cast<std::size_t>(state.range(0));
  const Boxes<3> boxes = cubes(n, share);
  std::vector<std::uint32_t> hits(n + kOverlapSlack);
  const Box3 box{{0, 0, 0}, {1, 1, 1}};
  for (auto _ : state) benchmark::DoNotOptimize(overlap_run(box, boxes.columns(), 0, n, hits.data()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
  set_simd_level(before);
}

const bool registered = [] {
  for (const SimdLevel level : available_simd_levels())
    for (const double share : {0.01, 0.2})
      benchmark::RegisterBenchmark(
          ("overlap_run/" + std::string(to_string(level)) + (share < 0.1 ? "/few_hits" : "/many_hits"))
              .c_str(),
          [=](benchmark::State& state) { overlap_run_at(state, level, share); })
          ->Arg(64)
          ->Arg(2048);
  return true;
}();

}  // namespace
}  // namespace winnow
