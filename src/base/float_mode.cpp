#include "base/float_mode.hpp"

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace winnow {

#if defined(__SSE__) || defined(_M_X64)
DefaultFloatMode::DefaultFloatMode() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
DefaultFloatMode::~DefaultFloatMode() { _mm_setcsr(saved_); }
#elif defined(__aarch64__)
DefaultFloatMode::DefaultFloatMode() {
  std::uint64_t value;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  saved_ = static_cast<std::uint32_t>(value);
  asm volatile("msr fpcr, %0" ::"r"(std::uint64_t{0}));
}
DefaultFloatMode::~DefaultFloatMode() { asm volatile("msr fpcr, %0" ::"r"(std::uint64_t{saved_})); }
#else
// Without a known control register the caller's mode stays.
DefaultFloatMode::DefaultFloatMode() : saved_(0) {}
DefaultFloatMode::~DefaultFloatMode() { static_cast<void>(saved_); }
#endif

}  // namespace winnow
