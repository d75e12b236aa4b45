#include "simd/level.hpp"

#include <atomic>
#include <string>
#include <vector>

#include "simd/targets.hpp"
#include "winnow/error.hpp"
#include "winnow/simd.hpp"

#include <hwy/highway.h>

namespace winnow {
namespace {

struct Target {
  SimdLevel level;
  std::string_view name;
  std::int64_t bits;  // Highway's target; 0 for the scalar twins
};

constexpr Target kTargets[] = {
    {SimdLevel::scalar, "scalar", 0},
    {SimdLevel::sse4, "sse4", HWY_SSE4},
    {SimdLevel::avx2, "avx2", HWY_AVX2},
    {SimdLevel::neon, "neon", HWY_NEON},
};

std::vector<SimdLevel> detect() {
  const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
  std::vector<SimdLevel> levels;
  for (const Target& target : kTargets)
    if (target.bits == 0 || (supported & target.bits) != 0) levels.push_back(target.level);
  return levels;
}

std::atomic<SimdLevel>& current() {
  static std::atomic<SimdLevel> level{available_simd_levels().back()};
  return level;
}

}  // namespace

std::string_view to_string(SimdLevel level) { return kTargets[static_cast<int>(level)].name; }

std::span<const SimdLevel> available_simd_levels() {
  static const std::vector<SimdLevel> levels = detect();
  return levels;
}

SimdLevel simd_level() { return current().load(std::memory_order_relaxed); }

void set_simd_level(SimdLevel level) {
  parse_simd_level(to_string(level));  // refuses what this processor lacks
  if (level != SimdLevel::scalar) {
    // Targets are ordered so that a better one has a lower bit: all from this one on stay allowed.
    const std::int64_t bits = kTargets[static_cast<int>(level)].bits;
    hwy::SetSupportedTargetsForTest(HWY_TARGETS & ~(bits - 1));
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  current().store(level, std::memory_order_relaxed);
}

SimdLevel parse_simd_level(std::string_view name) {
  std::string known;
  for (const SimdLevel level : available_simd_levels()) {
    if (to_string(level) == name) return level;
    known += (known.empty() ? "" : ", ") + std::string(to_string(level));
  }
  throw Error("simd", "simd: '" + std::string(name) + "' is not a level of this machine; it has " + known);
}

bool scalar_forced() { return simd_level() == SimdLevel::scalar; }

}  // namespace winnow
