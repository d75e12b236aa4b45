// Random numbers by counting: each object, frame and purpose has a stream of its own, so that no value
// depends on which thread asks first. The standard library's distributions differ between libraries; these
// do not.
#pragma once

#include <cstdint>

#include "scene/math.hpp"

namespace winnow::scene {

class Random {
 public:
  // A stream for each triple of numbers.
  Random(std::uint64_t seed, std::uint64_t object, std::uint64_t purpose = 0)
      : state_(mix(mix(mix(seed) + object) + purpose)) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }     // splitmix64
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // in [0, 1)
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  std::uint64_t below(std::uint64_t n) { return bits() % n; }

  Vec3 in_cube(double lo, double hi) {
    const double x = uniform(lo, hi), y = uniform(lo, hi), z = uniform(lo, hi);
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  }
  Vec3 in_ball() {
    for (;;) {
      const Vec3 v = in_cube(-1, 1);
      if (dot(v, v) <= 1) return v;
    }
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_ball();
      if (dot(v, v) > 1e-4f) return v * (1 / length(v));
    }
  }
  Rotation rotation() {
    for (;;) {
      const Vec3 v = in_cube(-1, 1);
      const float w = static_cast<float>(uniform(-1, 1));
      const float square = w * w + dot(v, v);
      if (square > 1 || square < 1e-4f) continue;
      const float scale = 1 / std::sqrt(square);
      return {w * scale, v.x * scale, v.y * scale, v.z * scale};
    }
  }

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace winnow::scene
