#include "contract/float_mode.hpp"

#include <cfenv>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace winnow::test {
namespace {

#if defined(__SSE__)
constexpr unsigned kFlags = 0x3f;  // exceptions that have happened: no part of the mode
unsigned current_mode() { return _mm_getcsr() & ~kFlags; }
#else
int current_mode() { return std::fegetround(); }
#endif

}  // namespace

std::span<const FloatMode> float_modes() {
  static const std::vector<FloatMode> all = {
    {"rounding down", [] { std::fesetround(FE_DOWNWARD); }},
    {"rounding up", [] { std::fesetround(FE_UPWARD); }},
    {"rounding to zero", [] { std::fesetround(FE_TOWARDZERO); }},
#if defined(__SSE__)
    {"denormals flushed to zero", [] { _mm_setcsr(_mm_getcsr() | 0x8040); }},
    {"traps on invalid operations", [] { _mm_setcsr(_mm_getcsr() & ~0x0080u); }},
#endif
  };
  return all;
}

bool keeps_mode(const FloatMode& mode, const std::function<void()>& action) {
  struct Default {
    ~Default() { std::fesetenv(FE_DFL_ENV); }
  } at_the_end;
  mode.set();
  const auto before = current_mode();
  action();
  return current_mode() == before;
}

}  // namespace winnow::test
