#include "winnow/methods/tile_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "methods/tile_sweep/gather.hpp"
#include "methods/tile_sweep/scatter.hpp"
#include "methods/tile_sweep/sweep_columns.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/thread_executor.hpp"
#include "winnow/error.hpp"
#include "winnow/methods/sweep.hpp"
#include "winnow/simd.hpp"

namespace winnow {
namespace {

using namespace tile_sweep;
using test::kMost;

// Hostile floats and ordinary ones.
template <int Dim>
std::vector<Box<Dim>> mixed_boxes(std::size_t n, unsigned seed) {
  constexpr float hostile[] = {-kMost, kMost, -1e30f, 1e-45f, -1e-45f, -0.0f, 0.0f, 1.0f, 1.0000001f, 3e38f};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> position(-10, 10), extent(0, 2);
  std::vector<Box<Dim>> boxes(n);
  for (Box<Dim>& box : boxes) {
    for (int axis = 0; axis < Dim; ++axis) {
      const float a = random() % 8 == 0 ? hostile[random() % std::size(hostile)] : position(random);
      const float b = random() % 16 == 0 ? hostile[random() % std::size(hostile)] : a + extent(random);
      box.lo[axis] = std::min(a, b);
      box.hi[axis] = std::max(a, b);
    }
  }
  return boxes;
}

template <int Dim = 3>
Scale scale_of(float lo, float per_unit) {
  Scale scale{};
  std::fill_n(scale.lo, Dim, lo);
  std::fill_n(scale.per_unit, Dim, per_unit);
  return scale;
}

bool same(const QuantisedBox& p, const QuantisedBox& q) {
  return std::equal(p.lo, p.lo + 3, q.lo) && std::equal(p.hi, p.hi + 3, q.hi) && p.tag == q.tag;
}

TEST(TileSweepQuantise, StepsNeverFallWhenTheCoordinateRises) {
  std::mt19937 random(1);
  std::vector<float> values{-kMost, -1.0f, -1e-45f, 0.0f, 1e-45f, 1.0f, kMost};
  std::uniform_real_distribution<float> near(-2, 2);
  for (int i = 0; i < 1000; ++i) values.push_back(near(random));
  std::sort(values.begin(), values.end());
  for (const float lo : {-kMost, -1.0f, 0.0f, kMost})
    for (const float per_unit : {1e-37f, 1.0f, 20000.0f, 1e30f})
      for (std::size_t i = 1; i < values.size(); ++i)
        ASSERT_LE(steps(values[i - 1], lo, per_unit), steps(values[i], lo, per_unit)) << values[i];
}

template <int Dim>
void expect_twins_quantise_alike() {
  const auto boxes = mixed_boxes<Dim>(301, 2);
  for (const Scale& scale :
       {scale_of<Dim>(-10, 3000), scale_of<Dim>(-kMost, 1e-37f), scale_of<Dim>(kMost, 1e30f)}) {
    std::vector<QuantisedBox> simd(boxes.size()), scalar(boxes.size());
    EXPECT_TRUE(quantise<Dim>(boxes.data(), nullptr, 0, boxes.size(), scale, simd.data()));
    EXPECT_TRUE(quantise_scalar<Dim>(boxes.data(), nullptr, 0, boxes.size(), scale, scalar.data()));
    EXPECT_TRUE(std::equal(simd.begin(), simd.end(), scalar.begin(), same));
  }
}

TEST(TileSweepQuantise, TheTwinGivesTheSameSteps) {
  expect_twins_quantise_alike<2>();
  expect_twins_quantise_alike<3>();
}

TEST(TileSweepQuantise, ABadBoxAnywhereIsNoticed) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const Box3 bad :
       {Box3{{0, 0, nan}, {1, 1, 1}}, Box3{{0, 0, 0}, {1, inf, 1}}, Box3{{2, 0, 0}, {1, 1, 1}},
        Box3{{-inf, 0, 0}, {1, 1, 1}}, Box3{{0, 0, 0}, {1, 1, nan}}}) {
    for (std::size_t at = 0; at < 5; ++at) {
      std::vector<Box3> boxes(5, Box3{{0, 0, 0}, {1, 1, 1}});
      boxes[at] = bad;
      std::vector<QuantisedBox> out(5);
      EXPECT_FALSE(quantise<3>(boxes.data(), nullptr, 0, 5, scale_of(0, 1), out.data()));
      EXPECT_FALSE(quantise_scalar<3>(boxes.data(), nullptr, 0, 5, scale_of(0, 1), out.data()));
    }
  }
}

TEST(TileSweepTiles, TheTwinScattersTheSameBoxesToTheSameTiles) {
  const auto boxes = mixed_boxes<3>(2000, 3);
  TileGrid grid;
  grid.axis = {2, 0};
  grid.size = {4, 3};
  grid.index = scale_of(-10, TileGrid::kTable / 20.0f);
  for (std::size_t k = 0; k < TileGrid::kTable; ++k) {
    grid.part[0][k] = static_cast<std::uint16_t>(k * 4 / TileGrid::kTable * 3);
    grid.part[1][k] = static_cast<std::uint16_t>(k * 3 / TileGrid::kTable);
  }
  for (std::size_t t = 0; t < grid.tiles(); ++t)
    grid.scales.push_back(scale_of(-10.0f + static_cast<float>(t), 2000));
  TileChunks simd, scalar;
  simd.clear(grid.tiles());
  scalar.clear(grid.tiles());
  EXPECT_TRUE(scatter_to_tiles<3>(boxes.data(), nullptr, 0, boxes.size(), grid, simd));
  EXPECT_TRUE(scatter_to_tiles_scalar<3>(boxes.data(), nullptr, 0, boxes.size(), grid, scalar));
  std::vector<std::vector<QuantisedBox>> by_tile[2] = {std::vector<std::vector<QuantisedBox>>(grid.tiles()),
                                                       std::vector<std::vector<QuantisedBox>>(grid.tiles())};
  int which = 0;
  for (const TileChunks* chunks : {&simd, &scalar}) {
    for (std::size_t c = 0; c < chunks->chunks(); ++c)
      by_tile[which][chunks->owner(c)].insert(by_tile[which][chunks->owner(c)].end(), chunks->boxes(c),
                                              chunks->boxes(c) + chunks->count(c));
    ++which;
  }
  for (std::size_t t = 0; t < grid.tiles(); ++t) {
    const auto by_tag = [](const QuantisedBox& p, const QuantisedBox& q) { return p.tag < q.tag; };
    for (auto& tiles : by_tile) std::sort(tiles[t].begin(), tiles[t].end(), by_tag);
    EXPECT_FALSE(by_tile[0][t].empty());
    EXPECT_TRUE(std::equal(by_tile[0][t].begin(), by_tile[0][t].end(), by_tile[1][t].begin(),
                           by_tile[1][t].end(), same));
  }
}

// Boxes of a tile with every kind of neighbourhood: small, straddling, wide, on the borders, equal.
std::vector<QuantisedBox> tile_boxes(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<QuantisedBox> boxes(n + 16);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    boxes[i].tag = static_cast<std::uint32_t>(i) | (random() % 8 == 0 ? later_axis_bit(random() % 3) : 0);
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t lo = random() % 4 == 0 ? 1024 * (random() % 64) : random() % 65536;
      const std::uint32_t extent = random() % 10 == 0 ? random() % 40000 : random() % 1500;
      boxes[i].lo[axis] = static_cast<std::uint16_t>(lo);
      boxes[i].hi[axis] = static_cast<std::uint16_t>(std::min(65535u, lo + extent));
    }
  }
  return boxes;
}

ColumnLayout layout_of(std::uint32_t bins, std::uint32_t columns1, std::uint32_t columns2) {
  ColumnLayout layout;
  layout.axis = {1, 2, 0};
  layout.origin = {100, 0, 5000};
  layout.span = {65000, 65535, 50000};
  layout.cut(0, bins);
  layout.cut(1, columns1);
  layout.cut(2, columns2);
  return layout;
}

struct Copies {
  std::vector<std::uint16_t> cell;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> straddlers;  // source, cell
  std::vector<std::uint32_t> wide;
};
template <class Find>
Copies copies(const ColumnLayout& layout, const std::vector<QuantisedBox>& boxes, std::size_t count,
              Find find) {
  Copies out;
  out.cell.resize(count + 16);
  out.wide.resize(count + 16);
  std::vector<std::uint32_t> cells(3 * count + 32), sources(3 * count + 32);
  const CopyCounts counts = find(layout, boxes.data(), count, 1000,
                                 {out.cell.data(), cells.data(), sources.data(), out.wide.data()});
  out.cell.resize(count);
  out.wide.resize(counts.wide);
  for (std::size_t s = 0; s < counts.straddlers; ++s) out.straddlers.emplace_back(sources[s], cells[s]);
  std::sort(out.straddlers.begin(), out.straddlers.end());
  return out;
}

TEST(TileSweepColumns, TheTwinFindsTheSameCopies) {
  for (const std::size_t count : {0, 1, 7, 8, 9, 127, 128}) {
    const auto boxes = tile_boxes(count, 4);
    for (const ColumnLayout& layout : {layout_of(1, 1, 1), layout_of(50, 20, 1), layout_of(20, 40, 30)}) {
      const Copies simd = copies(layout, boxes, count, find_copies);
      const Copies scalar = copies(layout, boxes, count, find_copies_scalar);
      EXPECT_EQ(simd.cell, scalar.cell);
      EXPECT_EQ(simd.straddlers, scalar.straddlers);
      EXPECT_EQ(simd.wide, scalar.wide);
    }
  }
}

TEST(TileSweepColumns, TheTwinsGatherAndSweepAlike) {
  for (const std::size_t count : {1, 2, 15, 16, 17, 33, 500}) {
    const auto boxes = tile_boxes(count, 5);
    std::vector<Box3> exact;  // of the same order as the steps, and telling equal ones apart
    for (const QuantisedBox& box : boxes) {
      Box3 e;
      for (int axis = 0; axis < 3; ++axis) {
        e.lo[axis] = static_cast<float>(box.lo[axis]) + 0.25f * static_cast<float>(box.tag % 3);
        e.hi[axis] = std::max(e.lo[axis], static_cast<float>(box.hi[axis]));
      }
      exact.push_back(e);
    }
    std::vector<const QuantisedBox*> chunks;
    for (std::size_t c = 0; c * 128 < boxes.size(); ++c) chunks.push_back(boxes.data() + c * 128);
    for (const ColumnLayout& layout : {layout_of(1, 1, 1), layout_of(9, 3, 2), layout_of(200, 2, 1)}) {
      std::vector<std::uint32_t> sources(count + 8, 0);
      for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<std::uint32_t>(i);
      std::sort(
          sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(count),
          [&](std::uint32_t p, std::uint32_t q) { return layout.cell(boxes[p]) < layout.cell(boxes[q]); });
      Columns simd, scalar;
      for (Columns* columns : {&simd, &scalar}) {
        columns->resize(count);
        for (std::size_t i = 0; i < count; ++i)
          columns->cell()[i] = static_cast<std::int16_t>(layout.cell(boxes[sources[i]]) ^ 0x8000);
      }
      gather_columns(layout, chunks.data(), sources.data(), simd);
      gather_columns_scalar(layout, chunks.data(), sources.data(), scalar);
      scalar.close();
      for (int k = 0; k < 6; ++k)
        EXPECT_TRUE(std::equal(simd.face(k), simd.face(k) + count, scalar.face(k))) << k;
      EXPECT_TRUE(std::equal(simd.last_cell(), simd.last_cell() + count, scalar.last_cell()));
      EXPECT_TRUE(std::equal(simd.later_axes(), simd.later_axes() + count, scalar.later_axes()));
      EXPECT_TRUE(std::equal(simd.ids(), simd.ids() + count, scalar.ids()));

      DigestSink by_simd, by_scalar;
      by_simd.open(1);
      by_scalar.open(1);
      sweep_columns<3>(simd, exact.data(), by_simd.writer(0));
      sweep_columns_scalar<3>(scalar, exact.data(), by_scalar.writer(0));
      by_simd.close();
      by_scalar.close();
      EXPECT_EQ(by_simd.digest(), by_scalar.digest()) << count << " boxes, " << layout.cells() << " cells";
    }
  }
}

// ---- the whole method, on enough boxes for tiles and for cutting tiles again

using Make = Box3 (*)(std::mt19937& random, std::size_t i);
float between(std::mt19937& random, float lo, float hi) {
  return std::uniform_real_distribution<float>(lo, hi)(random);
}
Box3 cube(float x, float y, float z, float edge) { return {{x, y, z}, {x + edge, y + edge, z + edge}}; }

struct NamedMake {
  const char* name;
  Make make;
};
const NamedMake kWorlds[] = {
    {"even", [](std::mt19937& r,
                std::size_t) { return cube(between(r, 0, 130), between(r, 0, 130), between(r, 0, 130), 1); }},
    {"diagonal row",
     [](std::mt19937& r, std::size_t i) {
       const float at = 0.5f * static_cast<float>(i);
       return cube(at + between(r, 0, 1), at + between(r, 0, 1), at + between(r, 0, 1), 1);
     }},
    {"two worlds far apart",
     [](std::mt19937& r, std::size_t i) {
       const float at = i % 2 == 0 ? 0.0f : 1e6f;
       return cube(at + between(r, 0, 90), at + between(r, 0, 90), at + between(r, 0, 90), 1);
     }},
    {"clusters in empty space",
     [](std::mt19937& r, std::size_t i) {
       std::mt19937 place(static_cast<unsigned>(i % 100));
       const float x = between(place, 0, 1e5f), y = between(place, 0, 1e5f), z = between(place, 0, 1e5f);
       return cube(x + between(r, 0, 25), y + between(r, 0, 25), z + between(r, 0, 25), 1);
     }},
    {"giants among dust",
     [](std::mt19937& r, std::size_t i) {
       return cube(between(r, 0, 200), between(r, 0, 200), between(r, 0, 200), i % 1000 == 0 ? 60.0f : 0.5f);
     }},
    {"touching lattice",
     [](std::mt19937&, std::size_t i) {
       return cube(static_cast<float>(i % 37), static_cast<float>(i / 37 % 37), static_cast<float>(i / 1369),
                   1);
     }},
    {"the float's whole range",
     [](std::mt19937& r, std::size_t i) {
       const float edge = i % 500 == 0 ? 1e38f : 1e36f;
       return cube(between(r, -1.5e38f, 1.5e38f), between(r, -1.5e38f, 1.5e38f),
                   between(r, -1.5e38f, 1.5e38f), edge);
     }},
};

template <class Method>
PairDigest digest_of(Method method, const std::vector<Box3>& boxes, Executor& executor) {
  DigestSink sink;
  sink.open(executor.workers());
  method.update(boxes, executor);
  method.find_pairs(executor, sink);
  sink.close();
  return sink.digest();
}

TEST(TileSweep, FindsThePairsOfManyBoxesInEveryWorldOnEveryNumberOfThreads) {
  SerialExecutor serial;
  test::ThreadExecutor threads(3);
  for (const auto& [name, make] : kWorlds) {
    std::mt19937 random(6);
    std::vector<Box3> boxes;
    for (std::size_t i = 0; i < 50000; ++i) boxes.push_back(make(random, i));
    std::shuffle(boxes.begin(), boxes.end(), random);
    const PairDigest expected = digest_of(Sweep<3>({}), boxes, serial);
    EXPECT_GT(expected.count, 0u) << name;
    EXPECT_EQ(digest_of(TileSweep<3>({}), boxes, serial), expected) << name;
    EXPECT_EQ(digest_of(TileSweep<3>({}), boxes, threads), expected) << name;
  }
}

TEST(TileSweep, ABadBoxAmongManyIsRefusedAndTheLastGoodOnesStay) {
  SerialExecutor serial;
  std::mt19937 random(7);
  std::vector<Box3> good;
  for (std::size_t i = 0; i < 30000; ++i) good.push_back(kWorlds[0].make(random, i));
  std::vector<Box3> bad = good;
  bad[777].hi[1] = std::numeric_limits<float>::quiet_NaN();
  bad[20000].lo[0] = std::numeric_limits<float>::infinity();
  TileSweep<3> method({});
  method.update(good, serial);
  try {
    method.update(bad, serial);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.index(), 777u);
  }
  DigestSink sink;
  sink.open(1);
  method.find_pairs(serial, sink);
  sink.close();
  EXPECT_EQ(sink.digest(), digest_of(Sweep<3>({}), good, serial));
}

TEST(TileSweep, HoldsLittleMemory) {
  SerialExecutor serial;
  std::mt19937 random(8);
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < 100000; ++i) boxes.push_back(kWorlds[0].make(random, i));
  TileSweep<3> method({});
  CountSink sink;
  sink.open(1);
  method.update(boxes, serial);
  method.find_pairs(serial, sink);
  EXPECT_LE(method.stats().memory_bytes, 80 * boxes.size());

  boxes.resize(10);
  TileSweep<3> few({});
  few.update(boxes, serial);
  few.find_pairs(serial, sink);
  sink.close();
  EXPECT_LE(few.stats().memory_bytes, 2048u);
}

}  // namespace
}  // namespace winnow
