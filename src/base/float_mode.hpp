// The floating-point control register. While the library computes, it rounds to nearest, keeps denormals and
// masks exceptions, whatever the caller has set.
#pragma once

#include <cstdint>

namespace winnow {

// Sets the default mode and restores the caller's at the end of the scope. The register belongs to a thread:
// parallel_for does this on every worker.
class DefaultFloatMode {
 public:
  DefaultFloatMode();
  ~DefaultFloatMode();
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  std::uint32_t saved_;
};

}  // namespace winnow
