// Which instructions the kernels use. The best the processor has is chosen at run time; tests and the command
// line may force a lower level. The pairs found are the same at every level.
#pragma once

#include <span>
#include <string_view>

namespace winnow {

enum class SimdLevel { scalar, sse4, avx2, neon };

std::string_view to_string(SimdLevel level);

// Levels this build and this processor have, slowest first.
std::span<const SimdLevel> available_simd_levels();

SimdLevel simd_level();

// For the whole process; not while a method runs. Throws Error when the level is not available.
void set_simd_level(SimdLevel level);

// "scalar", "sse4", "avx2", "neon"; throws Error with the list of those available here.
SimdLevel parse_simd_level(std::string_view name);

}  // namespace winnow
