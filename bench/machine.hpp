// What the figures were measured on.
#pragma once

#include <nlohmann/json.hpp>

namespace winnow::bench {

// Processor, caches, memory, system, compiler and its flags, SIMD level, commit, and the versions of the
// peers in this build. Nothing that names a host or a person.
const nlohmann::json& machine();

}  // namespace winnow::bench
