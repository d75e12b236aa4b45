#include "winnow/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "neighbours/neighbours_kernel.hpp"
#include "support/sanitized.hpp"
#include "winnow/simd.hpp"

namespace winnow {
namespace {

// (row, neighbour, image): everything a list says, in an order of its own.
template <int Dim>
using Entries = std::multiset<std::tuple<std::uint32_t, std::uint32_t, ImageShift<Dim>>>;

template <int Dim, class Real>
using Cloud = std::vector<Point<Dim, Real>>;

template <int Dim, class Real>
Entries<Dim> entries_of(const Neighbours<Dim, Real>& lists) {
  Entries<Dim> entries;
  for (std::size_t k = 0; k < lists.rows(); ++k) {
    const auto row = lists.row_ids.empty() ? static_cast<std::uint32_t>(k) : lists.row_ids[k];
    for (std::uint64_t e = lists.offsets[k]; e < lists.offsets[k + 1]; ++e)
      entries.insert({row, lists.ids[e], lists.shifts.empty() ? ImageShift<Dim>{} : lists.shifts[e]});
  }
  return entries;
}

// The plainest search: every query, every point, every image.
template <int Dim, class Real>
Entries<Dim> scan(const Cloud<Dim, Real>& queries, const Cloud<Dim, Real>& points, bool self,
                  const std::array<double, Dim>& period, const auto& radius) {
  Entries<Dim> entries;
  std::array<int, Dim> most{};
  Real longest = 0;
  for (std::size_t i = 0; i < queries.size(); ++i)
    for (std::size_t j = 0; j < points.size(); ++j) longest = std::max(longest, radius(i, j));
  for (int axis = 0; axis < Dim; ++axis)
    most[axis] = period[axis] == 0 ? 0 : static_cast<int>(longest / period[axis]) + 2;
  ImageShift<Dim> shift;
  const auto visit = [&](const auto& again, int axis) -> void {
    if (axis < Dim) {
      for (int s = -most[axis]; s <= most[axis]; ++s) {
        shift[axis] = static_cast<std::int8_t>(s);
        again(again, axis + 1);
      }
      return;
    }
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (std::size_t j = 0; j < points.size(); ++j) {
        if (self && i == j && shift == ImageShift<Dim>{}) continue;
        volatile Real sum = 0;  // rounded after each operation, whatever the compiler would like to fuse
        for (int a = 0; a < Dim; ++a) {
          volatile Real d = points[j][a] - queries[i][a];
          d = d + static_cast<Real>(shift[a] * period[a]);
          volatile Real square = d * d;
          sum = a == 0 ? square : sum + square;
        }
        volatile Real square = radius(i, j) * radius(i, j);
        if (sum <= square)
          entries.insert({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), shift});
      }
    }
  };
  visit(visit, 0);
  return entries;
}

// Points of many kinds in a box of the given side: uniform, on a lattice of the radius, one ulp beside it,
// coincident.
template <int Dim, class Real>
Cloud<Dim, Real> cloud(std::mt19937& random, std::size_t n, Real side, Real radius) {
  std::uniform_real_distribution<Real> place(0, side);
  Cloud<Dim, Real> points(n);
  for (auto& point : points) {
    for (Real& x : point) {
      x = place(random);
      const auto kind = random() % 4;
      if (kind == 1) x = std::min(side, std::floor(x / radius) * radius);
      if (kind == 2)
        x = std::clamp(std::nextafter(std::floor(x / radius) * radius, random() % 2 ? side : Real{0}),
                       Real{0}, side);
    }
    if (random() % 8 == 0) point = points[0];
  }
  return points;
}

template <int Dim, class Real>
void expect_same_as_scan(unsigned seed) {
  std::mt19937 random(seed);
  SerialExecutor executor;
  NeighbourSearch<Dim, Real> search;
  Neighbours<Dim, Real> lists;
  const std::size_t n = random() % 40;
  const Real side = std::ldexp(Real{1}, static_cast<int>(random() % 5)) * Real(0.7);
  const Real radius = side * std::uniform_real_distribution<Real>(Real(0.02), Real(1.6))(random);
  const auto points = cloud<Dim, Real>(random, n, side, radius),
             queries = cloud<Dim, Real>(random, n / 2, side, radius);
  NeighbourOptions<Dim> options;
  options.rows = random() % 2 ? RowOrder::caller : RowOrder::sorted;
  options.distances = random() % 2;
  if (random() % 2)
    for (double& length : options.period) length = random() % 3 ? static_cast<double>(side) : 0.0;
  const auto same = [&](auto, auto) { return radius; };
  const Entries<Dim> expected = scan<Dim, Real>(points, points, true, options.period, same);

  search.find(points, radius, options, executor, lists);
  ASSERT_EQ(entries_of(lists), expected) << "seed " << seed;
  if (options.distances) {
    ASSERT_EQ(lists.squared_distances.size(), lists.ids.size());
    for (const Real d : lists.squared_distances) ASSERT_LE(d, radius * radius);
  }

  search.find_between(queries, points, radius, options, executor, lists);
  ASSERT_EQ(entries_of(lists), (scan<Dim, Real>(queries, points, false, options.period, same)))
      << "seed " << seed;

  options.method = NeighbourMethod::hierarchical_hash;
  search.find(points, radius, options, executor, lists);
  ASSERT_EQ(entries_of(lists), expected) << "by hashing, seed " << seed;
  options.method = NeighbourMethod::automatic;

  options.lists = NeighbourLists::half;
  search.find(points, radius, options, executor, lists);
  Entries<Dim> both = entries_of(lists);
  for (const auto& [i, j, shift] : entries_of(lists)) {
    ImageShift<Dim> back;
    for (int axis = 0; axis < Dim; ++axis) back[axis] = static_cast<std::int8_t>(-shift[axis]);
    both.insert({j, i, back});
  }
  ASSERT_EQ(both, expected) << "half lists, seed " << seed;
}

// Times four kinds of points, times four searches: more than 100,000 comparisons with the scan.
constexpr unsigned kSeeds = test::kSanitized ? 150 : 6500;

TEST(Neighbours, AreThoseOfALinearScanIn2dFloat) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) expect_same_as_scan<2, float>(seed);
}
TEST(Neighbours, AreThoseOfALinearScanIn3dFloat) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) expect_same_as_scan<3, float>(seed);
}
TEST(Neighbours, AreThoseOfALinearScanIn2dDouble) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) expect_same_as_scan<2, double>(seed);
}
TEST(Neighbours, AreThoseOfALinearScanIn3dDouble) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) expect_same_as_scan<3, double>(seed);
}

TEST(Neighbours, AreTheSameAtEverySimdLevel) {
  const SimdLevel before = simd_level();
  std::mt19937 random(1);
  const auto points = cloud<3, float>(random, 3000, 10.0f, 0.9f);
  set_simd_level(SimdLevel::scalar);
  const auto expected = entries_of(neighbours<3, float>(points, 0.9f));
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    EXPECT_EQ(entries_of(neighbours<3, float>(points, 0.9f)), expected) << to_string(level);
  }
  set_simd_level(before);
}

TEST(Neighbours, AreFoundAcrossACellBorderThatRoundingMoves) {
  // CompactNSearch loses this pair.
  const Cloud<3, float> points = {{-22.884681701660156f, 0, 0}, {-22.532609939575195f, 0, 0}, {0, 0, 0}};
  const float radius = 0.35207206010818481f;
  const auto lists = neighbours<3, float>(points, radius);
  const auto same = [&](auto, auto) { return radius; };
  EXPECT_EQ(entries_of(lists), (scan<3, float>(points, points, true, {}, same)));
}

TEST(Neighbours, OfClustersVeryFarApartAreFound) {
  std::mt19937 random(5);
  Cloud<3, float> points = cloud<3, float>(random, 60, 1.0f, 0.1f);
  for (std::size_t i = 0; i < points.size(); i += 2) points[i][0] += 1e7f;
  points.push_back({-3e38f, 3e38f, 0});
  const auto same = [&](auto, auto) { return 0.3f; };
  EXPECT_EQ(entries_of(neighbours<3, float>(points, 0.3f)), (scan<3, float>(points, points, true, {}, same)));
}

TEST(Neighbours, OfAFewPointsInVeryManyCellsAreFound) {
  // Cells along each axis take 16 bits and more: the sort needs many digits.
  std::mt19937 random(8);
  Cloud<3, float> points;
  for (int cluster = 0; cluster < 12; ++cluster) {
    Point<3> centre;
    for (float& x : centre) x = static_cast<float>(random() % 80000);
    for (auto point : cloud<3, float>(random, 1 + random() % 60, 2.0f, 0.5f)) {
      for (int axis = 0; axis < 3; ++axis) point[axis] += centre[axis];
      points.push_back(point);
    }
  }
  const auto same = [&](auto, auto) { return 0.5f; };
  EXPECT_EQ(entries_of(neighbours<3, float>(points, 0.5f)), (scan<3, float>(points, points, true, {}, same)));
}

TEST(Neighbours, OfADropInAMostlyEmptyDomainAreFound) {
  // Most points in a few of many cells, some alone: the sort looks for where they are.
  std::mt19937 random(10);
  std::uniform_real_distribution<float> place(0, 10);
  Cloud<3, float> points(8000);
  for (auto& point : points)
    for (float& x : point) x = place(random) + 100;
  for (std::size_t i = 0; i < points.size(); i += 20)
    for (float& x : points[i]) x = 60 * (x - 100);
  NeighbourOptions<3> options;
  const auto found = entries_of(neighbours<3, float>(points, 0.7f, options));
  EXPECT_GT(found.size(), points.size());
  options.method = NeighbourMethod::hierarchical_hash;
  EXPECT_EQ(found, entries_of(neighbours<3, float>(points, 0.7f, options)));
}

TEST(Neighbours, BoundsOfARunAreThoseOfTheScalarTwin) {
  const SimdLevel before = simd_level();
  std::mt19937 random(11);
  std::vector<float> x[3];
  std::vector<std::uint32_t> ids(80 + kNeighbourSlack);
  for (auto& column : x) {
    column.resize(ids.size());
    for (float& value : column)
      value = std::ldexp(static_cast<float>(random()) - 2e9f, static_cast<int>(random() % 100) - 70);
  }
  const PointColumns<3, float> columns{{x[0].data(), x[1].data(), x[2].data()}, ids.data()};
  for (const SimdLevel level : available_simd_levels()) {
    set_simd_level(level);
    for (std::size_t begin = 0; begin < 20; ++begin) {
      for (std::size_t end = begin + 1; end <= 80; ++end) {
        std::array<float, 3> lo, hi, expected_lo, expected_hi;
        bounds_of_run<3, float>(columns, begin, end, lo, hi);
        bounds_of_run_scalar<3, float>(columns, begin, end, expected_lo, expected_hi);
        ASSERT_EQ(lo, expected_lo) << to_string(level) << " " << begin << " " << end;
        ASSERT_EQ(hi, expected_hi) << to_string(level) << " " << begin << " " << end;
      }
    }
  }
  set_simd_level(before);
}

TEST(Neighbours, AreTheSameListsForAnyNumberOfThreads) {
  std::mt19937 random(9);
  std::uniform_real_distribution<float> place(0, 20);
  Cloud<3, float> points(60000);
  for (auto& point : points)
    for (float& x : point) x = place(random);
  for (std::size_t i = 0; i < points.size(); i += 100) points[i][2] *= 50;  // and some far away
  for (const RowOrder rows : {RowOrder::caller, RowOrder::sorted}) {
    const NeighbourOptions<3> options{.rows = rows, .distances = true};
    const auto one = neighbours<3, float>(points, 0.5f, options);
    for (const std::size_t threads : {2, 3, 5}) {
      const auto many = neighbours<3, float>(points, 0.5f, options, threads);
      EXPECT_TRUE(std::ranges::equal(many.offsets, one.offsets)) << threads;
      EXPECT_TRUE(std::ranges::equal(many.ids, one.ids)) << threads;
      EXPECT_TRUE(std::ranges::equal(many.squared_distances, one.squared_distances)) << threads;
      EXPECT_TRUE(std::ranges::equal(many.row_ids, one.row_ids)) << threads;
    }
  }
}

TEST(Neighbours, WithExtremeRadiiAreExact) {
  const Cloud<2, float> points = {{0, 0}, {1e-30f, 0}, {3e-30f, 0}, {1e30f, 0}, {-1e30f, 1e30f}};
  EXPECT_EQ(entries_of(neighbours<2, float>(points, 2e-30f)).size(), 4u);  // 0-1 and 1-2, both ways
  EXPECT_EQ(entries_of(neighbours<2, float>(points, 3e30f)).size(), 20u);
}

TEST(Neighbours, OfLongRangesAreComplete) {
  Cloud<2, float> points;
  for (int i = 0; i < 2000; ++i) points.push_back({static_cast<float>(i) * 1e-4f, 0});
  EXPECT_EQ((neighbours<2, float>(points, 1.0f).ids.size()), 2000u * 1999u);
}

TEST(Neighbours, RadiiOfTheirOwnFollowTheRule) {
  std::mt19937 random(7);
  SerialExecutor executor;
  for (int round = 0; round < 200; ++round) {
    const auto points = cloud<3, float>(random, random() % 30, 4.0f, 0.5f);
    std::vector<float> radii(points.size());
    for (float& r : radii)
      r = random() % 5 == 0 ? 0.0f : std::pow(10.0f, static_cast<float>(random() % 3) - 2) * 3;
    NeighbourOptions<3> options;
    if (round % 2) options.period = {4, 0, 4};
    for (const RadiusRule rule : {RadiusRule::larger, RadiusRule::smaller, RadiusRule::sum}) {
      const auto within = [&](std::size_t i, std::size_t j) {
        return rule == RadiusRule::sum      ? radii[i] + radii[j]
               : rule == RadiusRule::larger ? std::max(radii[i], radii[j])
                                            : std::min(radii[i], radii[j]);
      };
      Neighbours<3> lists;
      NeighbourSearch<3>().find_with_radii(points, radii, rule, options, executor, lists);
      ASSERT_EQ(entries_of(lists), (scan<3, float>(points, points, true, options.period, within))) << round;
    }
  }
}

TEST(Neighbours, RefuseWhatIsNotAPointARadiusOrAPeriod) {
  const Cloud<2, float> good = {{0, 0}, {1, 1}};
  EXPECT_THROW((neighbours<2, float>(good, 0.0f)), Error);
  EXPECT_THROW((neighbours<2, float>(good, std::nanf(""))), Error);
  EXPECT_THROW((neighbours<2, float>(good, 1.0f, {.period = {0.5, 0}})), Error);
  EXPECT_THROW((neighbours<2, float>(good, 1.0f, {.period = {-1, 0}})), Error);
  const Cloud<2, float> bad = {{0, 0}, {1, 1}, {INFINITY, 0}, {NAN, 0}};
  try {
    neighbours<2, float>(bad, 1.0f);
    FAIL() << "accepted an infinite coordinate";
  } catch (const Error& error) {
    EXPECT_EQ(error.index(), 2u);
  }
}

TEST(Neighbours, OfNoPointsAreNoRows) {
  const auto none = neighbours<3, float>(Cloud<3, float>{}, 1.0f);
  EXPECT_EQ(none.rows(), 0u);
  EXPECT_EQ(none.offsets.size(), 1u);
}

TEST(VerletLists, StayUntilSomethingMovesHalfTheSkin) {
  std::mt19937 random(3);
  SerialExecutor executor;
  Cloud<3, float> points = cloud<3, float>(random, 200, 5.0f, 0.5f);
  VerletLists<3> verlet(0.8f, 0.2f);
  EXPECT_TRUE(verlet.update(points, executor));
  for (auto& point : points) point[1] += 0.09f;
  EXPECT_FALSE(verlet.update(points, executor));
  points[3][0] += 0.06f;
  EXPECT_TRUE(verlet.update(points, executor));
}

TEST(VerletLists, HoldAllPairsWithinTheRadiusWhileTheyStay) {
  std::mt19937 random(4);
  SerialExecutor executor;
  Cloud<2, float> points = cloud<2, float>(random, 200, 5.0f, 0.5f);
  VerletLists<2> verlet(0.5f, 0.2f);
  std::uniform_real_distribution<float> step(-0.01f, 0.01f);
  int made = 0;
  for (int frame = 0; frame < 60; ++frame) {
    for (auto& point : points)
      for (float& x : point) x += step(random);
    made += verlet.update(points, executor);
    const auto listed = entries_of(verlet.lists());
    const auto same = [&](auto, auto) { return 0.5f; };
    for (const auto& entry : scan<2, float>(points, points, true, {}, same))
      ASSERT_TRUE(listed.contains(entry));
  }
  EXPECT_GT(made, 1);
  EXPECT_LT(made, 60);
}

TEST(ZOrder, IsAPermutationThatKeepsCellsTogether) {
  std::mt19937 random(6);
  SerialExecutor executor;
  const auto points = cloud<3, float>(random, 500, 8.0f, 1.0f);
  const auto order = z_order<3, float>(points, 1.0f, executor);
  EXPECT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), points.size());
  std::set<std::array<int, 3>> left;
  std::array<int, 3> last{-1, -1, -1};
  float lo[3] = {1e9f, 1e9f, 1e9f};
  for (const auto& point : points)
    for (int axis = 0; axis < 3; ++axis) lo[axis] = std::min(lo[axis], point[axis]);
  for (const std::uint32_t id : order) {
    std::array<int, 3> cell;
    for (int axis = 0; axis < 3; ++axis) cell[axis] = static_cast<int>(points[id][axis] - lo[axis]);
    if (cell == last) continue;
    EXPECT_FALSE(left.contains(cell)) << "a cell comes twice";
    left.insert(last = cell);
  }
}

}  // namespace
}  // namespace winnow
