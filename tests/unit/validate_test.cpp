#include "winnow/validate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/generators.hpp"
#include "support/thread_executor.hpp"

namespace winnow {
namespace {

using test::kMost;

template <int Dim, class Real>
std::string complaint_about(const std::vector<Box<Dim, Real>>& boxes) {
  SerialExecutor executor;
  try {
    require_valid(BoxesView<Dim, Real>(boxes), executor);
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "boxes");
    EXPECT_EQ(error.index(), first_bad_box(BoxesView<Dim, Real>(boxes), executor));
    return error.what();
  }
  return "";
}

TEST(Validate, AcceptsEveryFiniteBox) {
  EXPECT_EQ(complaint_about<3>(std::vector<Box3>{}), "");
  EXPECT_EQ(complaint_about<3>(std::vector<Box3>{{{0, 0, 0}, {0, 0, 0}}}), "");
  EXPECT_EQ(complaint_about<3>(std::vector<Box3>{{{-kMost, -kMost, -0.0f}, {kMost, -kMost, 0}}}), "");
}

TEST(Validate, FindsEveryKindOfBadBox) {
  SerialExecutor executor;
  for (const auto& bad : test::bad_boxes<3>()) {
    const std::vector<Box3> boxes = {{{0, 0, 0}, {1, 1, 1}}, bad.box};
    EXPECT_EQ(first_bad_box(BoxesView<3>(boxes), executor), 1u) << bad.name;
  }
}

TEST(Validate, NamesTheBoxTheAxisAndTheValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(complaint_about<2>(std::vector<Box2>{{{0, 0}, {1, 1}}, {{0, 2.5f}, {1, 1}}}),
            "box 1: y from 2.5 to 1: the lower bound must not exceed the upper");
  EXPECT_EQ(complaint_about<3>(std::vector<Box3>{{{0, 0, nan}, {1, 1, 1}}}),
            "box 0: z from nan to 1: bounds must be finite numbers");
  EXPECT_EQ(complaint_about<2>(std::vector<Box2>{{{0, 0}, {infinity, 1}}}),
            "box 0: x from 0 to inf: bounds must be finite numbers");
}

TEST(Validate, DoublesMayBeLargerThanFloats) {
  EXPECT_EQ(complaint_about<2>(std::vector<DoubleBox2>{{{-1e300, 0}, {1e300, 1}}}), "");
  EXPECT_EQ(complaint_about<2>(std::vector<DoubleBox2>{{{0, 0}, {1e300 * 1e300, 1}}}),
            "box 0: x from 0 to inf: bounds must be finite numbers");
}

TEST(Validate, NamesTheFirstBadBoxWhateverTheThreads) {
  std::vector<Box2> boxes(50'000, Box2{{0, 0}, {1, 1}});
  for (const std::size_t bad : {49'999, 30'000, 20'000, 4096, 4095, 7}) {
    boxes[bad].lo[1] = 2;
    for (const std::size_t workers : {1, 2, 8}) {
      test::ThreadExecutor executor(workers);
      EXPECT_EQ(first_bad_box(BoxesView<2>(boxes), executor), bad);
    }
  }
}

}  // namespace
}  // namespace winnow
