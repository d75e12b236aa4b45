// The tree of kdtree_sweep by itself.
#include "methods/kdtree_sweep/kd_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kdtree_sweep_boxes.hpp"
#include "support/thread_executor.hpp"

namespace winnow {
namespace {

using kdtree_sweep::KdTree;
using kdtree_sweep::Node;
using test::BoxList;
using test::jitter;
using test::Random;
using test::scattered;

// All there is to know of a tree, to see whether an update changed any of it.
template <int Dim>
std::vector<double> snapshot(const KdTree<Dim>& tree) {
  std::vector<double> values;
  for (const auto index : tree.in_order()) {
    const Node<Dim>& node = tree.node(index);
    for (const double value : {double(index), double(node.axis), double(node.plane), double(node.parent),
                               double(node.begin), double(node.end), double(node.block_begin)})
      values.push_back(value);
  }
  for (std::size_t i = 0; i < tree.size(); ++i) values.push_back(tree.objects()[i].id);
  return values;
}

template <class T>
class KdTreeOf : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(KdTreeOf, Dims);

TYPED_TEST(KdTreeOf, EveryLayoutKeepsTheInvariants) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  for (const auto& layout : test::layouts<Dim>()) {
    Random random(1);
    KdTree<Dim> tree(8);
    for (const std::size_t n : {0u, 1u, 2u, 9u, 700u, 3u}) {
      const BoxList<Dim> boxes = layout.make(n, random);
      tree.update({.boxes = boxes}, executor);
      EXPECT_EQ(tree.validate(), "") << layout.name << " n " << n;
    }
  }
}

TYPED_TEST(KdTreeOf, EveryMotionKeepsTheInvariants) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  for (const auto& motion : test::motions<Dim>()) {
    Random random(2);
    KdTree<Dim> tree(8);
    for (const BoxList<Dim>& boxes : motion.make(500, random)) {
      tree.update({.boxes = boxes}, executor);
      EXPECT_EQ(tree.validate(), "") << motion.name;
      EXPECT_EQ(tree.size(), boxes.size()) << motion.name;
    }
  }
}

TYPED_TEST(KdTreeOf, ASecondUpdateWithoutMotionChangesNothing) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  for (const auto& layout : test::layouts<Dim>()) {
    Random random(3);
    KdTree<Dim> tree(8);
    for (int frame = 0; frame < 3; ++frame) {
      const BoxList<Dim> boxes = layout.make(900, random);
      tree.update({.boxes = boxes}, executor);
      const auto before = snapshot(tree);
      const std::uint64_t changes = tree.changes();
      tree.update({.boxes = boxes}, executor);
      EXPECT_EQ(tree.changes(), changes) << layout.name;
      EXPECT_EQ(snapshot(tree), before) << layout.name;
    }
  }
}

TYPED_TEST(KdTreeOf, ObjectsThatComeAndGoAreInTheTreeOrNot) {
  constexpr int Dim = TypeParam::value;
  SerialExecutor executor;
  Random random(4);
  KdTree<Dim> tree(4);
  for (int frame = 0; frame < 200; ++frame) {
    const BoxList<Dim> boxes = scattered<Dim>(random.below(300), 0.1, random);
    tree.update({.boxes = boxes}, executor);
    ASSERT_EQ(tree.size(), boxes.size());
    ASSERT_EQ(tree.validate(), "");
  }
}

TEST(KdTree, CoincidentBoxesStayOneLeaf) {
  SerialExecutor executor;
  KdTree<3> tree(8);
  const BoxList<3> boxes(1000, Box3{{1, 2, 3}, {4, 5, 6}});
  tree.update({.boxes = boxes}, executor);
  EXPECT_EQ(tree.in_order().size(), 1u);
}

TEST(KdTree, AnOutlierDoesNotKeepTheCrowdInOneLeaf) {
  SerialExecutor executor;
  Random random(5);
  KdTree<3> tree(16);
  BoxList<3> boxes = scattered<3>(4000, 0.01, random);
  boxes[17] = {{1e30f, 0, 0}, {1e30f, 1, 1}};
  tree.update({.boxes = boxes}, executor);
  std::uint32_t largest = 0;
  for (const auto index : tree.in_order())
    largest = std::max(largest, tree.node(index).block_end - tree.node(index).block_begin);
  EXPECT_LE(largest, 400u);
}

TEST(KdTree, IsTheSameForEveryNumberOfWorkers) {
  Random random(6);
  BoxList<3> boxes = scattered<3>(20000, 0.03, random);
  KdTree<3> serial(64), parallel(64);
  SerialExecutor one;
  test::ThreadExecutor four(4);
  for (int frame = 0; frame < 5; ++frame) {
    serial.update({.boxes = boxes}, one);
    parallel.update({.boxes = boxes}, four);
    ASSERT_EQ(snapshot(serial), snapshot(parallel));
    jitter(boxes, 0.05, random);
  }
}

}  // namespace
}  // namespace winnow
