// Boxes in 16 bytes: bounds as 16-bit steps of a local scale, and a tag with the id.
//
// Steps are monotone: x <= y gives step(x) <= step(y). So unequal steps decide a comparison, and only equal
// ones need the floats.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "winnow/box.hpp"

namespace winnow::tile_sweep {

// A tag is an id below 2^29 and one later-axis bit per axis. The bit is set when an earlier cell along that
// axis holds the box too. Two boxes that share several cells share exactly one in which no bit is set for
// both: the pair is reported there.
inline constexpr int kIdBits = 29;
inline constexpr std::uint32_t kIdMask = (std::uint32_t{1} << kIdBits) - 1;
constexpr std::uint32_t later_axis_bit(int axis) { return std::uint32_t{1} << (kIdBits + axis); }

// In two dimensions the third axis holds [0, kMostSteps]: it always overlaps.
inline constexpr std::uint16_t kMostSteps = 65535;
struct alignas(16) QuantisedBox {
  std::uint16_t lo[3];
  std::uint16_t hi[3];
  std::uint32_t tag;
};

// steps = (x - lo) * per_unit, clamped; one more lane for vectors. Lanes past the dimension are zero.
// Invariant: per_unit is finite, and positive on every axis in use, so that no product is a NaN.
struct alignas(16) Scale {
  float lo[4];
  float per_unit[4];
};

// A float in [0, 2^16) plus this has its nearest integer in its low 16 bits: the fastest conversion, and
// defined for every input.
inline constexpr float kToSteps = 8388608.0f;

inline std::uint16_t steps(float x, float lo, float per_unit, float most = kMostSteps) {
  const float clamped =
      std::max(0.0f, std::min(most, (x - lo) * per_unit));  // in this order: a NaN gives most
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(clamped + kToSteps));
}

// Quantises boxes [begin, end) to out[0 ..]. `tags` gives the boxes' tags; null: their indices. Returns
// whether all boxes are legal (what it writes for others is of no use, but harmless).
template <int Dim>
bool quantise(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
              const Scale& scale, QuantisedBox* out);
template <int Dim>
bool quantise_scalar(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                     const Scale& scale, QuantisedBox* out);

}  // namespace winnow::tile_sweep
