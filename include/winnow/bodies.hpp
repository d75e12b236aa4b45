// Stage one of a collision pipeline: world boxes of rigid bodies, from each body's pose and local shape.
//
//   winnow::Shapes shapes;
//   const auto ball = shapes.add_sphere(0.5f), crate = shapes.add_box({1, 2, 1});
//   winnow::update_boxes({poses, shape_of_body, shapes}, executor, boxes);
//
// A box made here contains every point of the shape, moved by position and rotation as real numbers: bounds
// are widened by a proven bound of the rounding errors, at most 1.5e-6 of the shape's reach and 4e-7 of the
// coordinate. The boxes are bit-identical for every number of threads and SIMD level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "winnow/box.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow {

using Vector3 = std::array<float, 3>;
using Quaternion = std::array<float, 4>;  // x, y, z, w

// Where a body is. The rotation need not be of unit length, only between 1/2 and 2; it is normalised.
struct Pose {
  Vector3 position{0, 0, 0};
  Quaternion rotation{0, 0, 0, 1};
};

// Borrowed poses: one pointer per component and one stride in bytes, as BoxesView.
class PosesView {
 public:
  PosesView() = default;
  PosesView(std::span<const Pose> poses) : PosesView(poses.data(), poses.size(), sizeof(Pose)) {}
  PosesView(const std::vector<Pose>& poses) : PosesView(std::span<const Pose>(poses)) {}
  // Poses inside larger structs: `stride_bytes` is sizeof(the struct).
  PosesView(const Pose* first, std::size_t size, std::size_t stride_bytes);
  // Separate columns: position x, y, z, rotation x, y, z, w.
  PosesView(const std::array<const float*, 7>& columns, std::size_t size,
            std::size_t stride_bytes = sizeof(float));

  std::size_t size() const { return size_; }
  std::size_t stride_bytes() const { return stride_; }
  const std::array<const float*, 7>& columns() const { return columns_; }
  Pose operator[](std::size_t i) const {
    return {{at(0, i), at(1, i), at(2, i)}, {at(3, i), at(4, i), at(5, i), at(6, i)}};
  }
  PosesView part(std::size_t begin, std::size_t end) const {
    PosesView part = *this;
    for (const float*& column : part.columns_) column = step(column, begin);
    part.size_ = end - begin;
    return part;
  }

 private:
  const float* step(const float* column, std::size_t i) const {
    return reinterpret_cast<const float*>(reinterpret_cast<const std::byte*>(column) + i * stride_);
  }
  float at(int component, std::size_t i) const { return *step(columns_[component], i); }

  std::array<const float*, 7> columns_{};
  std::size_t size_ = 0;
  std::size_t stride_ = sizeof(Pose);
};

// Local shapes, each in the frame of its body. Many bodies may share a shape.
class Shapes {
 public:
  using Id = std::uint32_t;

  // Each throws Error for measures that are negative, not finite or above kMostReach.
  Id add_sphere(float radius);
  Id add_box(const Vector3& half_extents);
  Id add_capsule(float radius, float half_length);  // its segment lies on the local z axis
  // A shape within a box of its own frame: the fast way for a triangle mesh.
  Id add_local_box(const Box3& box);
  // The hull of points, or a triangle mesh by its points: the tightest box, at the cost of its points.
  Id add_points(std::span<const Vector3> points);

  std::size_t size() const { return rounded_boxes_.size(); }
  std::size_t memory_bytes() const;

  static constexpr float kMostReach = 0x1p125f;

  // All shapes but points are boxes with rounded edges: `half` extents about `centre`, then `radius` on all
  // sides. For points it is their local box.
  struct RoundedBox {
    Vector3 centre;
    Vector3 half;
    float radius;
    float reach;  // no point of the shape is farther from the body's origin
  };
  // Columns of points, padded by copies of the last one so that whole vectors may be read.
  struct Points {
    std::array<const float*, 3> columns;
    std::size_t size;
  };
  std::span<const RoundedBox> rounded_boxes() const { return {rounded_boxes_.data(), rounded_boxes_.size()}; }
  bool any_points() const { return !points_.empty(); }
  Points points(Id shape) const;  // of size 0 for other shapes

 private:
  struct PointRange {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  Id add(const RoundedBox& rounded_box, PointRange range);

  std::vector<RoundedBox> rounded_boxes_;
  std::vector<PointRange> ranges_;
  std::vector<float> points_;  // for each shape of points: its x, its y, its z column
};

// Borrowed bodies: a pose and a shape each.
struct BodiesView {
  PosesView poses;
  std::span<const Shapes::Id> shape_ids;  // as many as poses
  const Shapes& shapes;

  std::size_t size() const { return poses.size(); }
  BodiesView part(std::size_t begin, std::size_t end) const {
    return {poses.part(begin, end), shape_ids.subspan(begin, end - begin), shapes};
  }
};

// The world boxes of all bodies, in their order. Throws Error for the first bad body (position not finite or
// above 2^126, rotation not of length 1/2 .. 2, unknown shape), and leaves `boxes` as they were.
void update_boxes(const BodiesView& bodies, Executor& executor, Boxes<3>& boxes);

// Boxes for a whole step: from bodies.poses to `end`. Each contains its shape at every moment, if positions
// change linearly and rotations at constant speed along the shorter arc.
void update_swept_boxes(const BodiesView& bodies, const PosesView& end, Executor& executor, Boxes<3>& boxes);

}  // namespace winnow
