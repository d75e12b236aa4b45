// From coordinates to cells, four at a time, in what every processor has: 16 bytes of vector. Scalar, this is
// half of the time of a query in empty space.
#pragma once

#include <cstdint>

namespace winnow {

using Float4 [[gnu::vector_size(16)]] = float;
using Int4 [[gnu::vector_size(16)]] = std::int32_t;

// Rounds x * scale down, for a scale that is a power of two; beyond +-2^30 the outermost cell stands for all.
// The product is exact, or so small that it vanishes: then the sign of x decides, so that a cell lies inside
// the same larger cell whatever the scale.
inline Int4 floor_scaled(Float4 x, float scale) {
  const Float4 farthest = Float4{} + 0x1p30f;
  Float4 v = x * scale;
  v = v < farthest ? v : farthest;
  v = v > -farthest ? v : -farthest;
  const Int4 toward_zero = __builtin_convertvector(v, Int4);
  const Int4 above = v < __builtin_convertvector(toward_zero, Float4);  // -1 where it is
  return toward_zero + (above | ((x < Float4{}) & (toward_zero == Int4{})));
}

}  // namespace winnow
