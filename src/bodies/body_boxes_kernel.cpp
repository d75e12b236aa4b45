#include "bodies/body_boxes.hpp"

#include <limits>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bodies/body_boxes_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using IndexTag = hn::RebindToSigned<Tag>;
using Floats = hn::Vec<Tag>;
using Indices = hn::Vec<IndexTag>;

Floats dot(const Floats (&a)[3], const Floats (&b)[3]) {
  return hn::Add(hn::Add(hn::Mul(a[0], b[0]), hn::Mul(a[1], b[1])), hn::Mul(a[2], b[2]));
}

void rotation_rows(const Floats (&q)[4], Floats (&rows)[3][3]) {
  const Tag df;
  const Floats x = q[0], y = q[1], z = q[2], w = q[3], one = hn::Set(df, 1.0f);
  const Floats scale = hn::Div(hn::Set(df, 2.0f), hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)),
                                                          hn::Add(hn::Mul(z, z), hn::Mul(w, w))));
  const Floats xs = hn::Mul(x, scale), ys = hn::Mul(y, scale), zs = hn::Mul(z, scale);
  const Floats xx = hn::Mul(x, xs), xy = hn::Mul(x, ys), xz = hn::Mul(x, zs);
  const Floats yy = hn::Mul(y, ys), yz = hn::Mul(y, zs), zz = hn::Mul(z, zs);
  const Floats wx = hn::Mul(w, xs), wy = hn::Mul(w, ys), wz = hn::Mul(w, zs);
  rows[0][0] = hn::Sub(one, hn::Add(yy, zz));
  rows[0][1] = hn::Sub(xy, wz);
  rows[0][2] = hn::Add(xz, wy);
  rows[1][0] = hn::Add(xy, wz);
  rows[1][1] = hn::Sub(one, hn::Add(xx, zz));
  rows[1][2] = hn::Sub(yz, wx);
  rows[2][0] = hn::Sub(xz, wy);
  rows[2][1] = hn::Add(yz, wx);
  rows[2][2] = hn::Sub(one, hn::Add(xx, yy));
}

// The shapes of as many bodies as there are lanes; a component is a float of RoundedBox, by its place.
class ShapeLanes {
 public:
  ShapeLanes(const Shapes::RoundedBox* shapes, const std::uint32_t* ids)
      : base_(shapes->centre.data()),
        offsets_(hn::ShiftLeft<5>(hn::BitCast(IndexTag(), hn::LoadU(hn::RebindToUnsigned<Tag>(), ids)))) {
    static_assert(sizeof(Shapes::RoundedBox) == 32);
  }
  Floats operator[](int component) const { return hn::GatherOffset(Tag(), base_ + component, offsets_); }

 private:
  const float* base_;
  Indices offsets_;
};

// Full vectors only; returns where it stopped.
std::size_t body_boxes_simd(const BodiesView& bodies, std::size_t begin, std::size_t end, Boxes<3>& boxes) {
  const Tag df;
  const std::size_t lanes = hn::Lanes(df), stride = bodies.poses.stride_bytes();
  const Indices pose_offsets =
      hn::Mul(hn::Iota(IndexTag(), 0), hn::Set(IndexTag(), static_cast<std::int32_t>(stride)));
  const Floats position_error = hn::Set(df, kPositionError);
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    const auto pose = [&](int component) {
      const auto* bytes = reinterpret_cast<const std::byte*>(bodies.poses.columns()[component]) + i * stride;
      return hn::GatherOffset(df, reinterpret_cast<const float*>(bytes), pose_offsets);
    };
    const ShapeLanes shape(bodies.shapes.rounded_boxes().data(), bodies.shape_ids.data() + i);
    const Floats centre[3] = {shape[0], shape[1], shape[2]}, half[3] = {shape[3], shape[4], shape[5]};
    const Floats radius = shape[6];
    const Floats shape_error = hn::Add(hn::Mul(shape[7], hn::Set(df, kReachError)), hn::Set(df, kLeastError));
    Floats rows[3][3];
    rotation_rows({pose(3), pose(4), pose(5), pose(6)}, rows);
    for (int axis = 0; axis < 3; ++axis) {
      const Floats position = pose(axis);
      const Floats magnitudes[3] = {hn::Abs(rows[axis][0]), hn::Abs(rows[axis][1]), hn::Abs(rows[axis][2])};
      const Floats middle = hn::Add(position, dot(rows[axis], centre));
      const Floats extent = hn::Add(dot(magnitudes, half), radius);
      const Floats error = hn::Add(hn::Mul(hn::Abs(position), position_error), shape_error);
      hn::StoreU(hn::Sub(hn::Sub(middle, extent), error), df, boxes.lo(axis) + i);
      hn::StoreU(hn::Add(hn::Add(middle, extent), error), df, boxes.hi(axis) + i);
    }
  }
  return i;
}

Box3 rotated_points_box_simd(const Matrix3& rotation, const Shapes::Points& points) {
  const Tag df;
  Floats rows[3][3], least[3], most[3];
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 3; ++k) rows[axis][k] = hn::Set(df, rotation[axis][k]);
    least[axis] = hn::Set(df, std::numeric_limits<float>::infinity());
    most[axis] = hn::Set(df, -std::numeric_limits<float>::infinity());
  }
  for (std::size_t k = 0; k < points.size; k += hn::Lanes(df)) {
    const Floats point[3] = {hn::LoadU(df, points.columns[0] + k), hn::LoadU(df, points.columns[1] + k),
                             hn::LoadU(df, points.columns[2] + k)};
    for (int axis = 0; axis < 3; ++axis) {
      const Floats along = dot(rows[axis], point);
      least[axis] = hn::Min(least[axis], along);
      most[axis] = hn::Max(most[axis], along);
    }
  }
  Box3 box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = hn::GetLane(hn::MinOfLanes(df, least[axis]));
    box.hi[axis] = hn::GetLane(hn::MaxOfLanes(df, most[axis]));
  }
  return box;
}

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(body_boxes_simd);
HWY_EXPORT(rotated_points_box_simd);

void body_boxes(const BodiesView& bodies, std::size_t begin, std::size_t end, Boxes<3>& boxes) {
  // The rest, less than a vector, is not written as one: its neighbours may be another worker's.
  if (!scalar_forced()) begin = HWY_DYNAMIC_DISPATCH(body_boxes_simd)(bodies, begin, end, boxes);
  body_boxes_scalar(bodies, begin, end, boxes);
}

Box3 rotated_points_box(const Matrix3& rotation, const Shapes::Points& points) {
  if (scalar_forced()) return rotated_points_box_scalar(rotation, points);
  return HWY_DYNAMIC_DISPATCH(rotated_points_box_simd)(rotation, points);
}

}  // namespace winnow
#endif
