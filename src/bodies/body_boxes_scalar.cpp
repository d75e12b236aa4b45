#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/body_boxes.hpp"

namespace winnow {
namespace {

float dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector3 magnitudes(const Vector3& v) { return {std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])}; }

}  // namespace

Matrix3 rotation_matrix(const Quaternion& rotation) {
  const auto [x, y, z, w] = rotation;
  const float scale = 2.0f / ((x * x + y * y) + (z * z + w * w));
  const float xs = x * scale, ys = y * scale, zs = z * scale;
  const float xx = x * xs, xy = x * ys, xz = x * zs, yy = y * ys, yz = y * zs, zz = z * zs;
  const float wx = w * xs, wy = w * ys, wz = w * zs;
  return {{{1.0f - (yy + zz), xy - wz, xz + wy},
           {xy + wz, 1.0f - (xx + zz), yz - wx},
           {xz - wy, yz + wx, 1.0f - (xx + yy)}}};
}

void body_boxes_scalar(const BodiesView& bodies, std::size_t begin, std::size_t end, Boxes<3>& boxes) {
  for (std::size_t i = begin; i < end; ++i) {
    const Pose pose = bodies.poses[i];
    const Shapes::RoundedBox& shape = bodies.shapes.rounded_boxes()[bodies.shape_ids[i]];
    const auto rows = rotation_matrix(pose.rotation);
    for (int axis = 0; axis < 3; ++axis) {
      const float centre = pose.position[axis] + dot(rows[axis], shape.centre);
      const float extent = dot(magnitudes(rows[axis]), shape.half) + shape.radius;
      const float error = box_error(pose.position[axis], shape.reach);
      boxes.lo(axis)[i] = (centre - extent) - error;
      boxes.hi(axis)[i] = (centre + extent) + error;
    }
  }
}

Box3 rotated_points_box_scalar(const Matrix3& rotation, const Shapes::Points& points) {
  Box3 box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = std::numeric_limits<float>::infinity();
    box.hi[axis] = -std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < points.size; ++k) {
      const Vector3 point{points.columns[0][k], points.columns[1][k], points.columns[2][k]};
      const float along = dot(rotation[axis], point);
      box.lo[axis] = std::min(box.lo[axis], along);
      box.hi[axis] = std::max(box.hi[axis], along);
    }
  }
  return box;
}

}  // namespace winnow
