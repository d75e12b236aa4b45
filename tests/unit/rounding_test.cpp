#include "winnow/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random.hpp"

namespace winnow {
namespace {

using test::kMost;

Box2 rounded(double lo, double hi) { return round_outward<2>(DoubleBox2{{lo, lo}, {hi, hi}}); }

TEST(Rounding, LeavesFloatsAsTheyAre) {
  for (const float value : {0.0f, -0.0f, 1.5f, -3e38f, kMost, -kMost, 1e-45f})
    EXPECT_EQ(rounded(value, value), (Box2{{value, value}, {value, value}}));
}

TEST(Rounding, GivesTheSmallestFloatBoxAround) {
  test::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double value = random.any_finite() * (1.0 + random.unit());
    if (std::abs(value) > kMost) continue;
    const Box2 box = rounded(value, value);
    EXPECT_LE(box.lo[0], value);
    EXPECT_GE(box.hi[0], value);
    EXPECT_LE(box.hi[0], std::nextafter(box.lo[0], kMost)) << value;
  }
}

TEST(Rounding, GoesOutwardNearZero) {
  const Box2 box = rounded(1e-300, 1e-300);
  EXPECT_EQ(box.lo[0], 0);
  EXPECT_EQ(box.hi[0], std::numeric_limits<float>::denorm_min());
  const Box2 negative = rounded(-1e-300, -1e-300);
  EXPECT_EQ(negative.lo[0], -std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(negative.hi[0], 0);
}

TEST(Rounding, StopsAtTheLargestFloat) {
  EXPECT_EQ(rounded(-1e300, 1e300), (Box2{{-kMost, -kMost}, {kMost, kMost}}));
  EXPECT_EQ(rounded(1e299, 1e300), (Box2{{kMost, kMost}, {kMost, kMost}}));
  const double just_more = std::nextafter(static_cast<double>(kMost), 1e300);
  EXPECT_EQ(rounded(just_more, just_more), (Box2{{kMost, kMost}, {kMost, kMost}}));
}

TEST(Rounding, OfAllBoxesRefusesBadOnes) {
  SerialExecutor executor;
  Boxes<2> out;
  std::vector<DoubleBox2> boxes = {{{0, 0}, {1, 1}}, {{0.1, 0.1}, {0.2, 0.2}}};
  round_outward(BoxesView<2, double>(boxes), executor, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1], round_outward<2>(boxes[1]));
  boxes[1].lo[0] = 3;
  EXPECT_THROW(round_outward(BoxesView<2, double>(boxes), executor, out), Error);
}

}  // namespace
}  // namespace winnow
