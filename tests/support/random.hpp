// Random numbers that are the same on every platform and in every standard library.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace winnow::test {

inline constexpr float kMost = std::numeric_limits<float>::max();

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // SplitMix64.
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(bits() % end); }
  bool one_in(std::size_t chances) { return below(chances) == 0; }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // in [0, 1)
  float uniform(double lo, double hi) { return static_cast<float>(lo + (hi - lo) * unit()); }

  // Each bit pattern of a finite float as likely as any other: all exponents, denormals and both zeros.
  float any_finite() {
    for (;;) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits()));
      if (std::isfinite(value)) return value;
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace winnow::test
