// Local shapes, reduced to rounded boxes and columns of points.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "winnow/bodies.hpp"
#include "winnow/error.hpp"

namespace winnow {
namespace {

constexpr std::size_t kMostShapes = std::size_t{1} << 26;  // kernels reach them by 32-bit offsets in bytes
constexpr std::size_t kVector = 16;                        // points are padded to a multiple of it

float rounded_up(double value) {
  const float near = static_cast<float>(value);
  return near < value ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}

void require_measure(const char* name, float value) {
  if (value >= 0 && value <= Shapes::kMostReach) return;
  throw Error(name, std::string(name) + ": must be between 0 and 2^125, got " + std::to_string(value));
}

// Throws where the shape reaches too far for its world box to be finite.
Shapes::RoundedBox rounded_box(const Vector3& centre, const Vector3& half, float radius) {
  double reach = radius;
  for (int axis = 0; axis < 3; ++axis) reach += std::fabs(double{centre[axis]}) + double{half[axis]};
  if (!(reach <= double{Shapes::kMostReach}))
    throw Error("shape", "shape: reaches farther than 2^125 from its body's origin");
  return {centre, half, radius, rounded_up(reach)};
}

Shapes::RoundedBox rounded_box(const Box3& box) {
  Vector3 centre, half;
  for (int axis = 0; axis < 3; ++axis) {
    const double lo = box.lo[axis], hi = box.hi[axis];
    centre[axis] = static_cast<float>((lo + hi) / 2);
    half[axis] = rounded_up(std::max(hi - centre[axis], centre[axis] - lo));
  }
  return rounded_box(centre, half, 0);
}

bool usable(float value) { return std::fabs(value) <= Shapes::kMostReach; }

std::size_t padded(std::size_t size) { return (size + kVector - 1) / kVector * kVector; }

}  // namespace

Shapes::Id Shapes::add_sphere(float radius) {
  require_measure("radius", radius);
  return add(rounded_box({0, 0, 0}, {0, 0, 0}, radius), {});
}

Shapes::Id Shapes::add_box(const Vector3& half_extents) {
  for (const float extent : half_extents) require_measure("half_extents", extent);
  return add(rounded_box({0, 0, 0}, half_extents, 0), {});
}

Shapes::Id Shapes::add_capsule(float radius, float half_length) {
  require_measure("radius", radius);
  require_measure("half_length", half_length);
  return add(rounded_box({0, 0, 0}, {0, 0, half_length}, radius), {});
}

Shapes::Id Shapes::add_local_box(const Box3& box) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(usable(box.lo[axis]) && usable(box.hi[axis]) && box.lo[axis] <= box.hi[axis]))
      throw Error("box", "box: bounds must be in order and within 2^125 of the body's origin");
  return add(rounded_box(box), {});
}

Shapes::Id Shapes::add_points(std::span<const Vector3> points) {
  if (points.empty()) throw Error("points", "points: a shape needs at least one point");
  Box3 box{points[0], points[0]};
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      if (!usable(points[i][axis]))
        throw Error("points", "point " + std::to_string(i) + ": must be within 2^125 of the body's origin",
                    i);
      box.lo[axis] = std::min(box.lo[axis], points[i][axis]);
      box.hi[axis] = std::max(box.hi[axis], points[i][axis]);
    }
  const RoundedBox rounded = rounded_box(box);  // its reach covers that of the points
  const PointRange range{points_.size(), points.size()};
  points_.resize(points_.size() + 3 * padded(points.size()));
  for (int axis = 0; axis < 3; ++axis) {
    float* column = points_.data() + range.begin + padded(points.size()) * static_cast<std::size_t>(axis);
    for (std::size_t i = 0; i < padded(points.size()); ++i)
      column[i] = points[std::min(i, points.size() - 1)][axis];
  }
  return add(rounded, range);
}

Shapes::Id Shapes::add(const RoundedBox& rounded_box, PointRange range) {
  if (size() == kMostShapes) throw Error("shapes", "shapes: at most 67108864 can be added");
  ranges_.reserve(ranges_.size() + 1);
  rounded_boxes_.push_back(rounded_box);
  ranges_.push_back(range);
  return static_cast<Id>(size() - 1);
}

Shapes::Points Shapes::points(Id shape) const {
  const PointRange range = ranges_[shape];
  const float* first = points_.data() + range.begin;
  const std::size_t column = padded(range.size);
  return {{first, first + column, first + 2 * column}, range.size};
}

std::size_t Shapes::memory_bytes() const {
  return rounded_boxes_.capacity() * sizeof(RoundedBox) + ranges_.capacity() * sizeof(PointRange) +
         points_.capacity() * sizeof(float);
}

}  // namespace winnow
