// World boxes of posed shapes. The formulas, for a pose (p, q) and a rounded box (c, h, r):
//
//   R = rotation matrix of q / |q|,  centre = p + R c,  extent = |R| h + r,  box = centre -+ (extent + e)
//
// With u = 2^-24: entries of R are off by at most 15u; R c and |R| h by 18u of the reach S >= |c| + |h| + r
// (sums of components); the sums after that round four times, each by at most u (|p| + S). So
// e = 6u |p| + 24u S covers all of them, its own rounding and one more sum; denormal results need 2^-140
// more. The SIMD kernels and the scalar twins do the same operations in the same order, so that results are
// bit-identical (the library is compiled without contraction to fused multiply-adds).
#pragma once

#include <cmath>
#include <cstddef>

#include "winnow/bodies.hpp"

namespace winnow {

inline constexpr float kPositionError = 6 * 0x1p-24f;
inline constexpr float kReachError = 24 * 0x1p-24f;
inline constexpr float kLeastError = 0x1p-140f;

inline float box_error(float position, float reach) {
  return std::fabs(position) * kPositionError + (reach * kReachError + kLeastError);
}

// The rotation matrix of q / |q|, by rows.
using Matrix3 = std::array<Vector3, 3>;
Matrix3 rotation_matrix(const Quaternion& rotation);

// Boxes of bodies [begin, end), by their rounded boxes, written to their places in the columns and nowhere
// else.
void body_boxes(const BodiesView& bodies, std::size_t begin, std::size_t end, Boxes<3>& boxes);

// The local box of rotated points, without widening.
Box3 rotated_points_box(const Matrix3& rotation, const Shapes::Points& points);

// The scalar twins.
void body_boxes_scalar(const BodiesView& bodies, std::size_t begin, std::size_t end, Boxes<3>& boxes);
Box3 rotated_points_box_scalar(const Matrix3& rotation, const Shapes::Points& points);

}  // namespace winnow
