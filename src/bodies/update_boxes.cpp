// First stage of Avril, Gouranton and Arnaldi 2010: the boxes of all bodies, each worker its share of them,
// none waiting for another. 1 check the bodies  2 boxes from rounded boxes, several bodies at once  3 tighter
// ones for shapes of points. Differs: workers write straight to their parts of the result, so there is
// nothing to merge.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/first_failing.hpp"
#include "bodies/body_boxes.hpp"
#include "winnow/bodies.hpp"
#include "winnow/error.hpp"

namespace winnow {
namespace {

constexpr std::size_t kGrain = 512;  // bodies; some microseconds
constexpr float kMostPosition = 0x1p126f;

void require_stride(std::size_t stride_bytes) {
  if (stride_bytes % alignof(float) != 0 || stride_bytes > std::size_t{1} << 24)
    throw Error("stride_bytes",
                "stride_bytes: must be a multiple of 4, at most 2^24, got " + std::to_string(stride_bytes));
}

float squared_length(const Quaternion& q) {
  return (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
}

// NaN fails every comparison.
bool good_position(const Vector3& position) {
  return (std::fabs(position[0]) <= kMostPosition) & (std::fabs(position[1]) <= kMostPosition) &
         (std::fabs(position[2]) <= kMostPosition);
}
bool good_rotation(const Quaternion& rotation) {
  const float length = squared_length(rotation);
  return (length >= 0.25f) & (length <= 4.0f);
}
bool good(const Pose& pose) { return good_position(pose.position) & good_rotation(pose.rotation); }

void require_good_poses(const PosesView& poses, Executor& executor) {
  const auto bad = first_failing(poses.size(), executor, [&](std::size_t i) { return good(poses[i]); });
  if (!bad) return;
  throw Error(
      "bodies",
      "body " + std::to_string(*bad) +
          (good_position(poses[*bad].position) ? ": its rotation must be a quaternion of length 1/2 to 2"
                                               : ": its position must be finite and within 2^126"),
      *bad);
}

void require_good(const BodiesView& bodies, Executor& executor) {
  if (bodies.shape_ids.size() != bodies.poses.size())
    throw Error("bodies", "bodies: " + std::to_string(bodies.poses.size()) + " poses, but " +
                              std::to_string(bodies.shape_ids.size()) + " shapes");
  const std::size_t shapes = bodies.shapes.size();
  const auto bad =
      first_failing(bodies.size(), executor, [&](std::size_t i) { return bodies.shape_ids[i] < shapes; });
  if (bad)
    throw Error("bodies",
                "body " + std::to_string(*bad) + ": there is no shape " +
                    std::to_string(bodies.shape_ids[*bad]) + ", only " + std::to_string(shapes),
                *bad);
  require_good_poses(bodies.poses, executor);
}

Box3 points_box(const Pose& pose, const Shapes::Points& points, float reach) {
  Box3 box = rotated_points_box(rotation_matrix(pose.rotation), points);
  for (int axis = 0; axis < 3; ++axis) {
    const float error = box_error(pose.position[axis], reach);
    box.lo[axis] = (pose.position[axis] + box.lo[axis]) - error;
    box.hi[axis] = (pose.position[axis] + box.hi[axis]) + error;
  }
  return box;
}

void make_boxes(const BodiesView& bodies, std::size_t begin, std::size_t end, Boxes<3>& boxes) {
  body_boxes(bodies, begin, end, boxes);
  if (!bodies.shapes.any_points()) return;
  for (std::size_t i = begin; i < end; ++i) {
    const Shapes::Id shape = bodies.shape_ids[i];
    const Shapes::Points points = bodies.shapes.points(shape);
    if (points.size != 0)
      boxes.set(i, points_box(bodies.poses[i], points, bodies.shapes.rounded_boxes()[shape].reach));
  }
}

// How far a point at distance 1 from the origin can leave the straight line while it turns from one rotation
// to the other at constant speed by an angle t: t^2 / 8, the error of linear interpolation. With cos(t / 2) =
// d and m = 1 - d that is m + m^2/6 + ... <= m + 0.234 m^2 for m <= 1. d is off by less than 12 * 2^-24.
float arc_bulge(const Quaternion& a, const Quaternion& b) {
  const float dot = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
  const float cosine = std::fabs(dot) / std::sqrt(squared_length(a) * squared_length(b));
  const float m = std::max(0.0f, 1.0f - cosine);
  return m + 0.234f * m * m + 24 * 0x1p-24f;
}

}  // namespace

PosesView::PosesView(const Pose* first, std::size_t size, std::size_t stride_bytes)
    : size_(size), stride_(stride_bytes) {
  require_stride(stride_bytes);
  if (first == nullptr) return;
  for (std::size_t k = 0; k < 3; ++k) columns_[k] = first->position.data() + k;
  for (std::size_t k = 0; k < 4; ++k) columns_[3 + k] = first->rotation.data() + k;
}

PosesView::PosesView(const std::array<const float*, 7>& columns, std::size_t size, std::size_t stride_bytes)
    : columns_(columns), size_(size), stride_(stride_bytes) {
  require_stride(stride_bytes);
}

void update_boxes(const BodiesView& bodies, Executor& executor, Boxes<3>& boxes) {
  require_good(bodies, executor);
  boxes.resize(bodies.size());
  parallel_for(executor, bodies.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    make_boxes(bodies, begin, end, boxes);
  });
}

void update_swept_boxes(const BodiesView& bodies, const PosesView& end_poses, Executor& executor,
                        Boxes<3>& boxes) {
  if (end_poses.size() != bodies.size())
    throw Error("end", "end: " + std::to_string(end_poses.size()) + " poses for " +
                           std::to_string(bodies.size()) + " bodies");
  require_good(bodies, executor);
  require_good_poses(end_poses, executor);
  boxes.resize(bodies.size());
  const BodiesView at_end{end_poses, bodies.shape_ids, bodies.shapes};
  parallel_for(executor, bodies.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    make_boxes(bodies, begin, end, boxes);
    Boxes<3> last;
    last.resize(std::min(end - begin, kGrain));
    for (std::size_t from = begin; from < end; from += kGrain) {
      const std::size_t to = std::min(end, from + kGrain);
      make_boxes(at_end.part(from, to), 0, to - from, last);
      for (std::size_t i = from; i < to; ++i) {
        const float reach = bodies.shapes.rounded_boxes()[bodies.shape_ids[i]].reach;
        const float margin = reach * arc_bulge(bodies.poses[i].rotation, end_poses[i].rotation);
        for (int axis = 0; axis < 3; ++axis) {
          boxes.lo(axis)[i] = std::min(boxes.lo(axis)[i], last.lo(axis)[i - from]) - margin;
          boxes.hi(axis)[i] = std::max(boxes.hi(axis)[i], last.hi(axis)[i - from]) + margin;
        }
      }
    }
  });
}

}  // namespace winnow
