#include "hash_grid/occupancy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <random>

#include "hash_grid/floor_scaled.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {
namespace {

constexpr float kHostile[] = {0.0f,    -0.0f,    1.0f,     -1.0f,       0.99999994f,  -0.99999994f, 1e-45f,
                              -1e-45f, FLT_MIN,  -FLT_MIN, 16777216.0f, -16777217.0f, 1e30f,        -1e30f,
                              FLT_MAX, -FLT_MAX, 0.5f,     -0.5f,       3.1415927f,   -2.7182817f};

std::int32_t floor_plainly(float x, int exponent) {
  return static_cast<std::int32_t>(std::clamp(std::floor(std::ldexp(double{x}, exponent)), -0x1p30, 0x1p30));
}

TEST(Cells, RoundDownAtEveryScaleAsTheScalarTwinDoes) {
  for (int exponent = -129; exponent <= 126; ++exponent)
    for (const float x : kHostile) {
      const Int4 cells = floor_scaled(Float4{x, 0, -x, x / 3}, std::ldexp(1.0f, exponent));
      ASSERT_EQ(cells[0], floor_plainly(x, exponent)) << x << " * 2^" << exponent;
      ASSERT_EQ(cells[1], 0);
      ASSERT_EQ(cells[2], floor_plainly(-x, exponent)) << -x << " * 2^" << exponent;
      ASSERT_EQ(cells[3], floor_plainly(x / 3, exponent)) << x / 3 << " * 2^" << exponent;
    }
}

template <int Dim>
Box<Dim> box_at(const std::array<float, Dim>& lo, float edge) {
  Box<Dim> box{lo, lo};
  for (float& x : box.hi) x += edge;
  return box;
}

template <int Dim>
Box<Dim> box_within(std::mt19937& random, float world, float largest) {
  std::uniform_real_distribution<float> place(-world, world), edge(0, largest);
  std::array<float, Dim> lo;
  for (float& x : lo) x = place(random);
  return box_at<Dim>(lo, edge(random));
}

template <int Dim>
Occupancy<Dim> occupancy_of(const std::vector<std::vector<Box<Dim>>>& levels, float coarsest, float finest,
                            std::size_t bits) {
  typename Occupancy<Dim>::Census census(levels.size());
  const auto each = [&](auto action) {
    for (std::size_t level = 0; level < levels.size(); ++level)
      for (const Box<Dim>& box : levels[level]) action(box, static_cast<int>(level));
  };
  each([&](const Box<Dim>& box, int level) { census.add(box, level); });
  Occupancy<Dim> occupancy;
  occupancy.lay_out(census, coarsest, finest, bits);
  each([&](const Box<Dim>& box, int level) { occupancy.mark(box, level); });
  return occupancy;
}

// However small the maps are, and whatever shares a place in them.
template <int Dim>
void expect_nothing_is_missed() {
  std::mt19937 random(Dim);
  std::size_t answers = 0;
  for (const std::size_t bits : {0u, 100u, 5000u, 1000000u})
    for (const std::size_t levels : {1u, 2u, 3u, 6u})
      for (const float world : {1.0f, 100.0f, 1e30f}) {
        std::vector<std::vector<Box<Dim>>> boxes(levels);
        float largest = 8 * world / 100;
        for (auto& level : boxes) {
          for (int i = 0; i < 50; ++i) level.push_back(box_within<Dim>(random, world, largest));
          largest /= 2;
        }
        const float coarsest = std::exp2(std::floor(std::log2(8 / world)));
        const Occupancy<Dim> occupancy = occupancy_of<Dim>(boxes, coarsest, 256 * coarsest, bits);
        for (int i = 0; i < 500; ++i) {
          Box<Dim> query = box_within<Dim>(random, world, world / 100);
          if (i % 2 == 0) {  // its last corner touches the first of an object, and no more
            const auto& corner = boxes[i % levels][i % 50].lo;
            for (int axis = 0; axis < Dim; ++axis) query.lo[axis] = corner[axis] - world / 200;
            query.hi = corner;
          }
          const auto near = occupancy.near(query);
          answers += near != Occupancy<Dim>::kUnknown;
          for (std::size_t level = 0; level < levels; ++level)
            for (const Box<Dim>& box : boxes[level])
              if (overlaps(query, box)) {
                ASSERT_NE(near & occupancy.map_of(static_cast<int>(level)), 0u) << bits << ' ' << levels;
              }
        }
      }
  EXPECT_GT(answers, 1000u) << "nearly all boxes were too large to ask for";
}

TEST(Occupancy, MissesNothingInThePlane) { expect_nothing_is_missed<2>(); }
TEST(Occupancy, MissesNothingInSpace) { expect_nothing_is_missed<3>(); }

TEST(Occupancy, TellsEmptySpaceAndLevelsApart) {
  const Box3 floor{{0, 0, 0}, {16, 16, 0}}, ball = box_at<3>({8, 8, 8}, 0.5f);
  const Occupancy<3> occupancy = occupancy_of<3>({{floor}, {ball}}, 1.0f / 16, 4, 1 << 20);
  EXPECT_EQ(occupancy.near(box_at<3>({3, 3, 0}, 0.01f)), 1u);
  EXPECT_EQ(occupancy.near(box_at<3>({8.2f, 8.2f, 8.2f}, 0.01f)), 2u);
  EXPECT_EQ(occupancy.near(box_at<3>({3, 3, 12}, 0.01f)), 0u);
  EXPECT_EQ(occupancy.near(box_at<3>({0, 0, 0}, 16)), Occupancy<3>::kUnknown);
}

TEST(Occupancy, TakesMoreUntilItIsCrowded) {
  const Box2 world{{0, 0}, {64, 64}}, small = box_at<2>({1, 1}, 0.5f);
  Occupancy<2> occupancy = occupancy_of<2>({{small, box_at<2>({60, 60}, 0.5f)}}, 1, 1, 4096);
  EXPECT_EQ(occupancy.near(box_at<2>({30, 30}, 0.5f)), 0u);
  EXPECT_TRUE(occupancy.mark_later(box_at<2>({30, 30}, 0.5f), 0));
  EXPECT_EQ(occupancy.near(box_at<2>({30, 30}, 0.5f)), 1u);
  int taken = 0;
  while (taken < 100 && occupancy.mark_later(world, 0)) ++taken;
  EXPECT_LT(taken, 3) << "its marks are never cleared";
}

// What small boxes find in a grid of few large and many small objects, by scheme.
template <int Dim>
std::size_t count_candidates(HashScheme scheme, const std::vector<Box<Dim>>& boxes,
                             const std::vector<Box<Dim>>& queries) {
  HashGrid<Dim> grid(scheme);
  grid.build(boxes);
  std::size_t candidates = 0;
  for (const Box<Dim>& query : queries) {
    std::vector<std::uint32_t> ids;
    grid.candidates(query, ids);
    std::vector<bool> found(boxes.size());
    for (const std::uint32_t id : ids) found[id] = true;
    for (std::size_t id = 0; id < boxes.size(); ++id)
      if (overlaps(query, boxes[id])) {
        EXPECT_TRUE(found[id]) << "lost object " << id;
      }
    candidates += ids.size();
  }
  return candidates;
}

TEST(HierarchicalHash, SmallBoxesMeetFewThatAreNotNear) {
  std::mt19937 random(8);
  std::vector<Box3> boxes = {{{0, 0, 0}, {4, 4, 0}}, {{0, 0, 0}, {4, 0, 4}}, {{0, 0, 0}, {0, 4, 4}}}, queries;
  std::uniform_real_distribution<float> place(0, 4), edge(0.0625f, 0.25f);
  for (int i = 0; i < 2000; ++i)
    boxes.push_back(box_at<3>({place(random), place(random), place(random)}, edge(random)));
  for (int i = 0; i < 1000; ++i)
    queries.push_back(box_at<3>({place(random), place(random), place(random)}, 1.0f / 64));
  EXPECT_LT(2 * count_candidates<3>(HashScheme::hierarchical, boxes, queries),
            count_candidates<3>(HashScheme::multilevel, boxes, queries));
}

// They touch as many cells as they can: eight times what their edges tell.
TEST(HierarchicalHash, FindsObjectsOnTheCornersOfCells) {
  std::vector<Box3> boxes;
  for (int x = 0; x < 16; ++x)
    for (int y = 0; y < 16; ++y)
      for (int z = 0; z < 16; ++z)
        boxes.push_back(box_at<3>({x - 0x1p-12f, y - 0x1p-12f, z - 0x1p-12f}, 0x1p-11f));
  std::vector<Box3> queries = boxes;
  for (Box3& box : queries) box.hi = box.lo;
  count_candidates<3>(HashScheme::hierarchical, boxes, queries);
}

TEST(HierarchicalHash, OneObjectMayBeFarLargerThanAllOthers) {
  std::mt19937 random(1);
  HashGrid<3> grid(HashScheme::hierarchical);
  for (std::uint32_t id = 1; id < 1000; ++id) grid.insert(id, box_within<3>(random, 1, 1e-3f));
  for (const float edge : {1e3f, 1e12f, 1e36f, 1.0f, 1e3f}) {
    grid.insert(0, box_at<3>({-edge / 2, -edge / 2, -edge / 2}, edge));
    std::vector<std::uint32_t> ids;
    grid.candidates(box_at<3>({0.1f, 0.1f, 0.1f}, 1e-4f), ids);
    EXPECT_NE(std::ranges::find(ids, 0u), ids.end()) << edge;
  }
}

}  // namespace
}  // namespace winnow
