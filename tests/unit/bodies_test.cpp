#include "winnow/bodies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/thread_executor.hpp"
#include "winnow/error.hpp"
#include "winnow/simd.hpp"

namespace winnow {
namespace {

using Real = long double;  // 11 bits more than double: exact enough to judge floats by
using RealVector = std::array<Real, 3>;
using RealQuaternion = std::array<Real, 4>;

RealQuaternion normalised(const Quaternion& q) {
  RealQuaternion unit;
  Real squares = 0;
  for (const float c : q) squares += Real{c} * Real{c};
  for (int k = 0; k < 4; ++k) unit[k] = q[k] / std::sqrt(squares);
  return unit;
}

RealVector rotated(const RealQuaternion& q, const RealVector& v) {
  const auto [x, y, z, w] = q;
  return {(1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2],
          2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2],
          2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}

// Points whose hull, grown by a radius, is the shape.
struct Hull {
  std::vector<RealVector> points;
  Real radius = 0;
};

Hull box_hull(const RealVector& lo, const RealVector& hi) {
  Hull hull;
  for (int corner = 0; corner < 8; ++corner)
    hull.points.push_back(
        {corner & 1 ? hi[0] : lo[0], corner & 2 ? hi[1] : lo[1], corner & 4 ? hi[2] : lo[2]});
  return hull;
}

// The exact box, but for the roundings of long double.
struct RealBox {
  RealVector lo, hi;
};
RealBox exact_box(const RealVector& position, const RealQuaternion& rotation, const Hull& hull) {
  RealBox box{{1e300L, 1e300L, 1e300L}, {-1e300L, -1e300L, -1e300L}};
  for (const RealVector& point : hull.points) {
    const RealVector turned = rotated(rotation, point);
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = std::min(box.lo[axis], position[axis] + turned[axis] - hull.radius);
      box.hi[axis] = std::max(box.hi[axis], position[axis] + turned[axis] + hull.radius);
    }
  }
  return box;
}
RealBox exact_box(const Pose& pose, const Hull& hull) {
  return exact_box({pose.position[0], pose.position[1], pose.position[2]}, normalised(pose.rotation), hull);
}

// Shapes of every kind and size, with what they are.
struct Zoo {
  Shapes shapes;
  std::vector<Hull> hulls;

  explicit Zoo(float size) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> part(0, 1);
    const auto length = [&] { return size * part(random); };
    for (int i = 0; i < 4; ++i) {
      const float radius = length(), half = length();
      shapes.add_sphere(radius);
      hulls.push_back({{{0, 0, 0}}, radius});
      const Vector3 extents{length(), length(), length()};
      shapes.add_box(extents);
      hulls.push_back(
          box_hull({-extents[0], -extents[1], -extents[2]}, {extents[0], extents[1], extents[2]}));
      shapes.add_capsule(radius, half);
      hulls.push_back({{{0, 0, half}, {0, 0, -half}}, radius});
      const Box3 local{{-length(), length(), -length()}, {length(), size + length(), 0}};
      shapes.add_local_box(local);
      hulls.push_back(
          box_hull({local.lo[0], local.lo[1], local.lo[2]}, {local.hi[0], local.hi[1], local.hi[2]}));
      std::vector<Vector3> points;
      Hull hull;
      for (int k = 0; k < 1 + 7 * i; ++k) {
        points.push_back({length() - size / 2, length(), -length()});
        hull.points.push_back({points.back()[0], points.back()[1], points.back()[2]});
      }
      shapes.add_points(points);
      hulls.push_back(hull);
    }
  }
};

std::vector<Pose> random_poses(std::size_t n, float distance, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> part(-1, 1);
  std::normal_distribution<float> normal;
  std::vector<Pose> poses(n);
  for (Pose& pose : poses) {
    for (float& x : pose.position) x = distance * part(random);
    float squares = 0;
    for (float& x : pose.rotation) {
      x = normal(random);
      squares += x * x;
    }
    const float length = 0.6f + 0.6f * std::fabs(part(random));  // any length will do
    for (float& x : pose.rotation) x *= length / std::sqrt(squares);
  }
  poses[0].rotation = {0, 0, 0, 1};
  poses[1].rotation = {0, 0, -1, 0};
  return poses;
}

std::vector<Shapes::Id> round_robin(std::size_t n, const Shapes& shapes) {
  std::vector<Shapes::Id> ids(n);
  for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<Shapes::Id>(i % shapes.size());
  return ids;
}

class BodiesOfSize : public testing::TestWithParam<std::pair<float, float>> {};

TEST_P(BodiesOfSize, AreInsideTheirBoxesWhichAreTight) {
  const auto [size, distance] = GetParam();
  SerialExecutor executor;
  const Zoo zoo(size);
  const auto poses = random_poses(2000, distance, 1);
  const auto ids = round_robin(poses.size(), zoo.shapes);
  Boxes<3> boxes;
  update_boxes({poses, ids, zoo.shapes}, executor, boxes);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const RealBox exact = exact_box(poses[i], zoo.hulls[ids[i]]);
    const Real reach = zoo.shapes.rounded_boxes()[ids[i]].reach;
    for (int axis = 0; axis < 3; ++axis) {
      const Real lo = boxes.lo(axis)[i], hi = boxes.hi(axis)[i];
      const Real slack = 2 * (1.5e-6L * reach + 4e-7L * std::fabs(Real{poses[i].position[axis]}) + 0x1p-139L);
      ASSERT_LE(lo, exact.lo[axis]) << "body " << i << " axis " << axis;
      ASSERT_GE(hi, exact.hi[axis]) << "body " << i << " axis " << axis;
      ASSERT_GE(lo, exact.lo[axis] - slack) << "body " << i << " axis " << axis;
      ASSERT_LE(hi, exact.hi[axis] + slack) << "body " << i << " axis " << axis;
    }
  }
}

TEST_P(BodiesOfSize, StayInsideTheirSweptBoxesThroughTheWholeStep) {
  const auto [size, distance] = GetParam();
  SerialExecutor executor;
  const Zoo zoo(size);
  const auto start = random_poses(300, distance, 2);
  auto end = random_poses(300, distance, 3);
  for (std::size_t i = 0; i < 100; ++i) end[i].rotation = start[i].rotation;  // some only move,
  for (std::size_t i = 100; i < 200; ++i)                                     // some turn a little
    for (int k = 0; k < 4; ++k) end[i].rotation[k] = -start[i].rotation[k] + 0.01f * end[i].rotation[k];
  const auto ids = round_robin(start.size(), zoo.shapes);
  Boxes<3> boxes;
  update_swept_boxes({start, ids, zoo.shapes}, end, executor, boxes);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const RealQuaternion a = normalised(start[i].rotation), b = normalised(end[i].rotation);
    const Real dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const Real angle = std::acos(std::min(Real{1}, std::fabs(dot)));
    for (int step = 0; step <= 16; ++step) {
      const Real t = step / Real{16};
      const bool turns = angle > 1e-6L;
      const Real from = turns ? std::sin((1 - t) * angle) / std::sin(angle) : 1 - t;
      const Real to = (turns ? std::sin(t * angle) / std::sin(angle) : t) * (dot < 0 ? -1 : 1);
      RealQuaternion rotation;
      RealVector position;
      for (int k = 0; k < 4; ++k) rotation[k] = from * a[k] + to * b[k];
      for (int k = 0; k < 3; ++k)
        position[k] = (1 - t) * Real{start[i].position[k]} + t * Real{end[i].position[k]};
      const RealBox exact = exact_box(position, rotation, zoo.hulls[ids[i]]);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_LE(boxes.lo(axis)[i], exact.lo[axis]) << "body " << i << " at " << step << "/16";
        ASSERT_GE(boxes.hi(axis)[i], exact.hi[axis]) << "body " << i << " at " << step << "/16";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SizeAndDistance, BodiesOfSize,
                         testing::Values(std::pair{1.0f, 10.0f}, std::pair{1.0f, 1e6f},
                                         std::pair{100.0f, 0.0f}, std::pair{1e-40f, 1e-40f},
                                         std::pair{0x1p122f, 0x1p126f}));

TEST(UpdateBoxes, GivesTheSameBitsAtEverySimdLevelAndNumberOfThreads) {
  const Zoo zoo(2.0f);
  const SimdLevel best = simd_level();
  SerialExecutor serial;
  test::ThreadExecutor threads(3);
  for (const std::size_t n : {2u, 3u, 7u, 8u, 9u, 17u, 5000u}) {
    const auto poses = random_poses(n, 50.0f, 9);
    const auto ids = round_robin(n, zoo.shapes);
    set_simd_level(SimdLevel::scalar);
    Boxes<3> expected, expected_swept;
    update_boxes({poses, ids, zoo.shapes}, serial, expected);
    update_swept_boxes({poses, ids, zoo.shapes}, random_poses(n, 50.0f, 8), serial, expected_swept);
    for (const SimdLevel level : available_simd_levels()) {
      set_simd_level(level);
      Boxes<3> boxes, swept;
      update_boxes({poses, ids, zoo.shapes}, threads, boxes);
      update_swept_boxes({poses, ids, zoo.shapes}, random_poses(n, 50.0f, 8), threads, swept);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(boxes[i], expected[i]) << "body " << i << " of " << n << " at " << to_string(level);
        ASSERT_EQ(swept[i], expected_swept[i]) << "body " << i << " of " << n << " at " << to_string(level);
      }
    }
    set_simd_level(best);
  }
}

TEST(UpdateBoxes, KeepsThePaddingBehindTheLastBoxEmpty) {
  SerialExecutor executor;
  Shapes shapes;
  shapes.add_sphere(1);
  const auto poses = random_poses(11, 5, 1);
  const std::vector<Shapes::Id> ids(11, 0);
  Boxes<3> boxes;
  update_boxes({poses, ids, shapes}, executor, boxes);
  for (std::size_t i = 11; i < 11 + Boxes<3>::kPadding; ++i)
    EXPECT_EQ(boxes.lo(2)[i], std::numeric_limits<float>::infinity());
}

TEST(UpdateBoxes, ReadsPosesInsideLargerStructs) {
  struct Body {
    double mass;
    Pose pose;
    int name;
  };
  std::vector<Body> bodies(10);
  const auto poses = random_poses(10, 5, 1);
  for (std::size_t i = 0; i < 10; ++i) bodies[i].pose = poses[i];
  Shapes shapes;
  const std::vector<Shapes::Id> ids(10, shapes.add_box({1, 2, 3}));
  SerialExecutor executor;
  Boxes<3> plain, inside;
  update_boxes({poses, ids, shapes}, executor, plain);
  update_boxes({PosesView(&bodies[0].pose, 10, sizeof(Body)), ids, shapes}, executor, inside);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(inside[i], plain[i]);
}

TEST(UpdateBoxes, NamesTheFirstBadBodyAndLeavesTheBoxesAsTheyWere) {
  SerialExecutor executor;
  Shapes shapes;
  shapes.add_sphere(1);
  const auto good = random_poses(20, 5, 1);
  std::vector<Shapes::Id> ids(20, 0);
  Boxes<3> boxes;
  update_boxes({good, ids, shapes}, executor, boxes);
  const Box3 before = boxes[3];
  const auto expect_refused = [&](const std::vector<Pose>& poses) {
    try {
      update_boxes({poses, ids, shapes}, executor, boxes);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.index(), 13u);
    }
    EXPECT_EQ(boxes[3], before);
  };
  auto poses = random_poses(20, 5, 2);
  poses[13].position[1] = std::numeric_limits<float>::quiet_NaN();
  expect_refused(poses);
  poses[13].position[1] = std::numeric_limits<float>::infinity();
  expect_refused(poses);
  poses[13] = {{0, 0, 0}, {0, 0, 0, 0}};
  expect_refused(poses);
  poses[13].rotation = {0, 0, 0, std::numeric_limits<float>::infinity()};
  expect_refused(poses);
  poses[13] = good[13];
  ids[13] = 1;
  expect_refused(poses);
}

TEST(Shapes, RefuseMeasuresThatAreNegativeOrNotFinite) {
  Shapes shapes;
  EXPECT_THROW(shapes.add_sphere(-1), Error);
  EXPECT_THROW(shapes.add_sphere(std::numeric_limits<float>::quiet_NaN()), Error);
  EXPECT_THROW(shapes.add_box({1, 1, std::numeric_limits<float>::infinity()}), Error);
  EXPECT_THROW(shapes.add_capsule(1, 1e38f), Error);
  EXPECT_THROW(shapes.add_local_box({{0, 1, 0}, {1, 0, 1}}), Error);
  EXPECT_THROW(shapes.add_points({}), Error);
  EXPECT_EQ(shapes.size(), 0u);
}

}  // namespace
}  // namespace winnow
