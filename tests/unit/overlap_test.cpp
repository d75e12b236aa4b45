#include "simd/overlap.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/generators.hpp"
#include "winnow/error.hpp"
#include "winnow/simd.hpp"

namespace winnow {
namespace {

template <int Dim>
std::vector<std::uint32_t> hits_by(decltype(overlap_run<Dim>)* kernel, const Boxes<Dim>& boxes,
                                   std::size_t box, std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> hits(end - begin + kOverlapSlack, 12345);
  hits.resize(kernel(boxes[box], boxes.columns(), begin, end, hits.data()));
  return hits;
}

template <int Dim>
void expect_twins_agree() {
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    for (const auto& layout : test::layouts<Dim>()) {
      for (const std::size_t n : {1, 7, 8, 9, 33, 200}) {
        test::Random random(n);
        const Boxes<Dim> boxes{BoxesView<Dim>(layout.make(n, random))};
        for (int runs = 0; runs < 20; ++runs) {
          const std::size_t begin = random.below(n + 1), end = begin + random.below(n - begin + 1);
          const std::size_t box = random.below(n);
          ASSERT_EQ(hits_by<Dim>(overlap_run<Dim>, boxes, box, begin, end),
                    hits_by<Dim>(overlap_run_scalar<Dim>, boxes, box, begin, end))
              << to_string(level) << ", " << layout.name << ", box " << box << " against " << begin << " .. "
              << end;
        }
      }
    }
  }
  set_simd_level(available_simd_levels().back());
}

TEST(OverlapRun, IsItsScalarTwinIn2d) { expect_twins_agree<2>(); }
TEST(OverlapRun, IsItsScalarTwinIn3d) { expect_twins_agree<3>(); }

TEST(OverlapRun, ScalarTwinFindsTouchingBoxes) {
  const std::vector<Box2> all = {{{0, 0}, {1, 1}}, {{1, 1}, {2, 2}}, {{1.5f, 0}, {2, 1}}, {{0, 0}, {9, 9}}};
  const Boxes<2> boxes{BoxesView<2>(all)};
  EXPECT_EQ(hits_by<2>(overlap_run_scalar<2>, boxes, 0, 1, 4), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(hits_by<2>(overlap_run_scalar<2>, boxes, 0, 2, 3), std::vector<std::uint32_t>{});
}

TEST(SimdLevels, StartWithScalarAndAreParsedByName) {
  ASSERT_FALSE(available_simd_levels().empty());
  EXPECT_EQ(available_simd_levels().front(), SimdLevel::scalar);
  for (const SimdLevel level : available_simd_levels()) {
    EXPECT_EQ(parse_simd_level(to_string(level)), level);
    set_simd_level(level);
    EXPECT_EQ(simd_level(), level);
  }
  set_simd_level(available_simd_levels().back());
}

TEST(SimdLevels, UnknownOnesAreRefusedWithThoseOfThisMachine) {
  try {
    parse_simd_level("mmx");
    FAIL() << "accepted mmx";
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "simd");
    EXPECT_NE(std::string(error.what()).find("it has scalar"), std::string::npos) << error.what();
  }
}

TEST(SimdLevels, OfOtherProcessorsAreRefused) {
  const SimdLevel before = simd_level();
  for (const SimdLevel level : {SimdLevel::sse4, SimdLevel::avx2, SimdLevel::neon}) {
    bool available = false;
    for (const SimdLevel known : available_simd_levels()) available |= known == level;
    if (available) continue;
    EXPECT_THROW(set_simd_level(level), Error);
    EXPECT_EQ(simd_level(), before);
  }
}

}  // namespace
}  // namespace winnow
