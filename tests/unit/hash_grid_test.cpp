#include "winnow/hash_grid.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <map>
#include <random>
#include <set>

namespace winnow {
namespace {

using Ids = std::set<std::uint32_t>;

template <int Dim>
Box<Dim> random_box(std::mt19937& random, float world, int decades) {
  std::uniform_real_distribution<float> place(-world, world);
  const float edge = std::pow(10.0f, static_cast<float>(random() % (decades + 1))) * 0.01f;
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    box.lo[axis] = place(random);
    box.hi[axis] = box.lo[axis] + edge;
  }
  return box;
}

// The objects a grid holds, kept beside it in the plainest way.
template <int Dim>
struct Model {
  std::map<std::uint32_t, Box<Dim>> boxes;

  Ids overlapping(const Box<Dim>& box) const {
    Ids ids;
    for (const auto& [id, other] : boxes)
      if (overlaps(box, other)) ids.insert(id);
    return ids;
  }
  std::set<Pair> pairs() const {
    std::set<Pair> found;
    for (const auto& [a, box_a] : boxes)
      for (const auto& [b, box_b] : boxes)
        if (a < b && overlaps(box_a, box_b)) found.insert({a, b});
    return found;
  }
};

template <int Dim>
std::set<Pair> pairs_of(HashGrid<Dim>& grid) {
  SerialExecutor executor;
  CollectSink sink;
  sink.open(1);
  grid.find_pairs(executor, sink);
  sink.close();
  const std::vector<Pair> list = sink.join(executor);
  const std::set<Pair> found(list.begin(), list.end());
  EXPECT_EQ(found.size(), list.size()) << "a pair came twice";
  return found;
}

template <int Dim>
void expect_all_overlapping_once(const HashGrid<Dim>& grid, const Model<Dim>& model, const Box<Dim>& box) {
  std::vector<std::uint32_t> ids;
  grid.candidates(box, ids);
  const Ids unique(ids.begin(), ids.end());
  EXPECT_EQ(unique.size(), ids.size()) << "a candidate came twice";
  for (const std::uint32_t id : model.overlapping(box))
    EXPECT_TRUE(unique.contains(id)) << "lost object " << id;
  for (const std::uint32_t id : unique)
    EXPECT_TRUE(model.boxes.contains(id)) << "object " << id << " is not stored";
}

template <int Dim>
void churn(HashScheme scheme, unsigned seed, int decades) {
  std::mt19937 random(seed);
  HashGrid<Dim> grid(scheme);
  Model<Dim> model;
  for (int step = 0; step < 300; ++step) {
    const std::uint32_t id = random() % 60;
    if (random() % 3 == 0) {
      EXPECT_EQ(grid.remove(id), model.boxes.erase(id) == 1);
    } else {
      const Box<Dim> box = random_box<Dim>(random, 5, decades);
      grid.insert(id, box);
      model.boxes[id] = box;
    }
    expect_all_overlapping_once(grid, model, random_box<Dim>(random, 5, decades));
    if (step % 20 == 0) {
      ASSERT_EQ(pairs_of(grid), model.pairs());
    }
  }
  EXPECT_EQ(grid.size(), model.boxes.size());
}

class HashGridOf : public testing::TestWithParam<HashScheme> {};

TEST_P(HashGridOf, FindsAllCandidatesOnceWhileObjectsComeAndGo) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    churn<2>(GetParam(), seed, static_cast<int>(seed % 4));
    churn<3>(GetParam(), seed, static_cast<int>(seed % 4));
  }
}

TEST_P(HashGridOf, AnswersQueriesFarLargerThanItsCells) {
  std::mt19937 random(3);
  HashGrid<3> grid(GetParam());
  Model<3> model;
  for (std::uint32_t id = 0; id < 200; ++id) grid.insert(id, model.boxes[id] = random_box<3>(random, 5, 0));
  expect_all_overlapping_once(grid, model, {{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}});
  expect_all_overlapping_once(grid, model, {{1e30f, 0, 0}, {2e30f, 1, 1}});
  expect_all_overlapping_once(grid, model, {{0, 0, 0}, {3, 3, 3}});
}

TEST_P(HashGridOf, AnswersPointsAndSegments) {
  HashGrid<2> grid(GetParam());
  grid.insert(7, {{0, 0}, {1, 1}});
  std::vector<std::uint32_t> ids;
  grid.candidates_of_point({1, 1}, ids);
  EXPECT_EQ(ids, std::vector<std::uint32_t>{7});
  ids.clear();
  grid.candidates_of_segment({2, 2}, {0.5f, 0.5f}, ids);
  EXPECT_EQ(ids, std::vector<std::uint32_t>{7});
  ids.clear();
  grid.candidates_of_point({100, 100}, ids);
  EXPECT_TRUE(ids.empty());
}

TEST_P(HashGridOf, AGrowingObjectChangesItsClass) {
  HashGrid<3> grid(GetParam());
  Model<3> model;
  grid.insert(0, model.boxes[0] = {{0, 0, 0}, {1, 1, 1}});
  for (float edge = 1e-6f; edge < 1e6f; edge *= 10) {
    grid.insert(1, model.boxes[1] = {{-edge, -edge, -edge}, {edge, edge, edge}});
    EXPECT_EQ(pairs_of(grid), model.pairs());
  }
}

TEST_P(HashGridOf, MemoryDoesNotGrowWithMovingObjects) {
  std::mt19937 random(9);
  HashGrid<3> grid(GetParam());
  const auto move_all = [&](int times) {
    for (int i = 0; i < times; ++i)
      for (std::uint32_t id = 0; id < 200; ++id) grid.insert(id, random_box<3>(random, 1000, 2));
  };
  move_all(20);
  const std::size_t settled = grid.stats().memory_bytes;
  move_all(400);
  EXPECT_LE(grid.stats().memory_bytes, 2 * settled);
}

TEST_P(HashGridOf, ACellFillsAndEmpties) {
  HashGrid<2> grid(GetParam());
  Model<2> model;
  for (std::uint32_t id = 0; id < 70; ++id) {
    grid.insert(id, model.boxes[id] = {{0.25f, 0.25f}, {0.75f, 0.75f}});
    expect_all_overlapping_once(grid, model, {{0, 0}, {1, 1}});
  }
  for (std::uint32_t id = 0; id < 70; ++id) {
    EXPECT_EQ(pairs_of(grid), model.pairs());
    EXPECT_TRUE(grid.remove(id * 37 % 70));
    model.boxes.erase(id * 37 % 70);
    expect_all_overlapping_once(grid, model, {{0, 0}, {1, 1}});
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, HashGridOf,
                         testing::Values(HashScheme::uniform, HashScheme::multilevel,
                                         HashScheme::hierarchical),
                         [](const auto& scheme) {
                           return scheme.param == HashScheme::uniform      ? "Uniform"
                                  : scheme.param == HashScheme::multilevel ? "Multilevel"
                                                                           : "Hierarchical";
                         });

}  // namespace
}  // namespace winnow
