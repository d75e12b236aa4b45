#include "winnow/boxes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace winnow {
namespace {

const std::vector<Box3> kTwo = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};

TEST(Box, OverlapsWhatItTouches) {
  const Box2 box = {{0, 0}, {1, 1}};
  EXPECT_TRUE(overlaps(box, Box2{{1, 1}, {2, 2}}));
  EXPECT_TRUE(overlaps(box, Box2{{0.25f, 0.25f}, {0.5f, 0.5f}}));
  EXPECT_FALSE(overlaps(box, Box2{{1.0000001f, 0}, {2, 1}}));
  EXPECT_TRUE(overlaps(Box2{{-1, 0}, {-0.0f, 1}}, Box2{{0.0f, 0}, {1, 1}}));
}

TEST(BoxesView, ReadsAnArrayOfBoxes) {
  const BoxesView<3> view(kTwo);
  EXPECT_EQ(view.size(), 2u);
  EXPECT_EQ(view[0], kTwo[0]);
  EXPECT_EQ(view[1], kTwo[1]);
  EXPECT_EQ(view.lo(1, 1), 8);
  EXPECT_EQ(view.hi(2, 0), 6);
  EXPECT_EQ(view.as_boxes(), kTwo.data());
}

TEST(BoxesView, ReadsBoxesInsideStructs) {
  struct Body {
    double mass;
    Box3 box;
    int name;
  };
  const std::vector<Body> bodies = {{1, kTwo[0], 7}, {2, kTwo[1], 8}};
  const BoxesView<3> view(&bodies[0].box, bodies.size(), sizeof(Body));
  EXPECT_EQ(view[1], kTwo[1]);
  EXPECT_EQ(view.stride_bytes(), sizeof(Body));
}

TEST(BoxesView, ReadsColumns) {
  const float x0[] = {1, 7}, y0[] = {2, 8}, x1[] = {4, 10}, y1[] = {5, 11};
  const BoxesView<2> view({x0, y0}, {x1, y1}, 2);
  EXPECT_EQ(view[1], (Box2{{7, 8}, {10, 11}}));
  EXPECT_EQ(view.as_boxes(), nullptr);
}

TEST(BoxesView, OfNothingIsEmpty) {
  EXPECT_TRUE(BoxesView<3>().empty());
  EXPECT_TRUE(BoxesView<3>(std::vector<Box3>()).empty());
  EXPECT_TRUE(BoxesView<3>(static_cast<const Box3*>(nullptr), 0).empty());
}

TEST(BoxesView, RefusesMoreBoxesThanIdsAndCrookedStrides) {
  const std::size_t too_many = std::size_t{1} << 32;
  try {
    BoxesView<3> view(kTwo.data(), too_many);
    FAIL() << "accepted 2^32 boxes";
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "boxes");
    EXPECT_STREQ(error.what(), "boxes: at most 4294967295 boxes fit 32-bit ids, got 4294967296");
  }
  try {
    BoxesView<3> view(kTwo.data(), 2, 25);
    FAIL() << "accepted a stride of 25 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "stride_bytes");
    EXPECT_STREQ(error.what(), "stride_bytes: must be a multiple of 4, got 25");
  }
}

TEST(Boxes, KeepACopyInColumns) {
  const Boxes<3> boxes{BoxesView<3>(kTwo)};
  EXPECT_EQ(boxes.size(), 2u);
  EXPECT_EQ(boxes[0], kTwo[0]);
  EXPECT_EQ(boxes[1], kTwo[1]);
  EXPECT_EQ(boxes.view()[1], kTwo[1]);
  EXPECT_EQ(boxes.columns().lo[1][1], 8);
  EXPECT_GE(boxes.memory_bytes(), 2 * sizeof(Box3));
}

TEST(Boxes, ArePaddedWithBoxesThatOverlapNothing) {
  Boxes<2> boxes;
  for (const std::size_t size : {0, 1, 40, 3}) {
    boxes.resize(size);
    for (std::size_t i = size; i < size + Boxes<2>::kPadding; ++i) {
      for (int axis = 0; axis < 2; ++axis) {
        EXPECT_EQ(boxes.lo(axis)[i], std::numeric_limits<float>::infinity());
        EXPECT_EQ(boxes.hi(axis)[i], -std::numeric_limits<float>::infinity());
      }
    }
  }
}

}  // namespace
}  // namespace winnow
