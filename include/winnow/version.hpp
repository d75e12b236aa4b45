// The library's version; CMake reads it from here, so that it stands in one place.
#pragma once

#define WINNOW_VERSION "0.1.0"

namespace winnow {
inline constexpr const char* kVersion = WINNOW_VERSION;
}  // namespace winnow
