// What a record was measured on.
#pragma once

#include <nlohmann/json.hpp>

namespace winnow::record {

// Processor, caches, memory, system, compiler and its flags, SIMD level and the commit that was built.
// Nothing that names a host or a person.
nlohmann::json machine();

}  // namespace winnow::record
