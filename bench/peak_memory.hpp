// Peak memory of a contender, measured in a process of its own.
#pragma once

#include "bench/compare.hpp"

namespace winnow::bench {

// The most resident memory a contender adds while it works on two frames, in a process of its own; 0 when
// that process fails.
std::size_t peak_memory(const ContenderInfo& info, const RaceSetup& setup);

}  // namespace winnow::bench
