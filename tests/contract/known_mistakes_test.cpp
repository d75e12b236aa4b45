// Mistakes found in other libraries, each a test of every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contract/every_method.hpp"
#include "support/compare.hpp"
#include "support/generators.hpp"
#include "support/oracle.hpp"
#include "winnow/error.hpp"
#include "winnow/filter.hpp"

namespace winnow::test {
namespace {

template <int Dim>
Box<Dim> cube(float lo, float extent) {
  Box<Dim> box;
  box.lo.fill(lo);
  box.hi.fill(lo + extent);
  return box;
}

// One method object on one thread, checked against the oracle.
template <int Dim>
class CheckedMethod {
 public:
  explicit CheckedMethod(const Subject<Dim>& subject) : method_(subject.make({})) {}

  void expect_right(const BoxList<Dim>& boxes) {
    update(boxes);
    EXPECT_EQ(difference(oracle_pairs(boxes), pairs()), "");
  }
  void update(const BoxList<Dim>& boxes) { method_.update(BoxesView<Dim>(boxes), executor_); }
  std::vector<Pair> pairs() {
    CollectSink sink;
    method_.find_pairs(executor_, sink);
    return sink.join(executor_);
  }
  template <class Keep>
  std::vector<Pair> pairs(Keep keep) {
    CollectSink sink;
    FilterSink filter(sink, keep);
    method_.find_pairs(executor_, filter);
    return sink.join(executor_);
  }
  std::size_t memory_bytes() const { return method_.stats().memory_bytes; }

 private:
  SerialExecutor executor_;
  AnyMethod<Dim> method_;
};

class KnownMistake : public testing::TestWithParam<Which> {
 protected:
  // Calls body(dimension as a constant, method).
  template <class Check>
  void check(Check body) {
    with_subject(GetParam(), [&]<int Dim>(const Subject<Dim>& subject) {
      CheckedMethod<Dim> method(subject);
      body(std::integral_constant<int, Dim>(), method);
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Every, KnownMistake, testing::ValuesIn(every_method()),
                         [](const auto& test) { return name_of(test.param); });

// CompactNSearch loses these two, a radius apart: one lies on the border of a cell.
TEST_P(KnownMistake, NeighboursOnACellBorderAreFound) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    constexpr float x = -22.884681701660156f, y = -22.532609939575195f, r = 0.35207206010818481f;
    BoxList<Dim> boxes = {cube<Dim>(x, r), cube<Dim>(y, r)};
    method.expect_right(boxes);
    for (int ulps = 0; ulps < 5; ++ulps) {
      boxes[1].lo[0] = std::nextafter(boxes[1].lo[0], 0.0f);
      method.expect_right(boxes);
    }
    for (int i = 0; i < 100; ++i) boxes.push_back(cube<Dim>(x + static_cast<float>(i) * r, r));
    method.expect_right(boxes);
  });
}

// Bullet's dbvt hides pairs behind a NaN; parry's tree was poisoned by one many frames later.
TEST_P(KnownMistake, ANanBoxHidesAndPoisonsNothing) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    Random random(1);
    BoxList<Dim> boxes = layouts<Dim>().front().make(200, random);
    method.expect_right(boxes);
    for (int frame = 0; frame < 20; ++frame) {
      BoxList<Dim> poisoned = boxes;
      poisoned[random.below(200)].hi[random.below(Dim)] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_THROW(method.update(poisoned), Error);
      for (Box<Dim>& box : boxes) box = cube<Dim>(box.lo[0], 1);
      method.expect_right(boxes);
    }
  });
}

// Jolt and Genesis had traversal stacks of a fixed size, Box3D 16 pairs for each moved object.
TEST_P(KnownMistake, ABoxMayHaveAnyNumberOfPartners) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    BoxList<Dim> boxes = {cube<Dim>(0, 5000)};
    for (int i = 0; i < 2500; ++i) boxes.push_back(cube<Dim>(static_cast<float>(2 * i), 1));
    method.expect_right(boxes);
  });
}

TEST_P(KnownMistake, DeepTreesDropNothing) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    BoxList<Dim>
        boxes;  // each half as far from the origin as the one before: every split parts one box from the rest
    for (int exponent = 120; exponent > -140; --exponent) {
      const float at = std::ldexp(1.0f, exponent);
      for (int copies = 0; copies < 4; ++copies) boxes.push_back(cube<Dim>(at, at / 4));
    }
    method.expect_right(boxes);
  });
}

// Equal Morton codes made DataTransferKit quadratic and ArborX crash.
TEST_P(KnownMistake, EqualCodesAreOrdinary) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    for (const Layout<Dim>& layout : layouts<Dim>()) {
      if (layout.name != "equal_morton_codes" && layout.name != "coincident") continue;
      Random random(3);
      method.expect_right(layout.make(400, random));
    }
    BoxList<Dim> points(300, cube<Dim>(0.5f, 0));
    points.push_back(cube<Dim>(1e30f, 0));
    method.expect_right(points);
  });
}

// Trees of one and two boxes broke ipc-toolkit, parry and tinybvh.
TEST_P(KnownMistake, FewBoxesAreOrdinary) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    for (std::size_t n = 0; n < 10; ++n) {
      method.expect_right(BoxList<Dim>(n, cube<Dim>(1, 1)));
      BoxList<Dim> apart;
      for (std::size_t i = 0; i < n; ++i) apart.push_back(cube<Dim>(static_cast<float>(3 * i), 1));
      method.expect_right(apart);
    }
  });
}

// Bullet and Godot reported pairs of objects that were gone, or of a slot's former owner.
TEST_P(KnownMistake, BoxesThatAreGoneHaveNoPairs) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    BoxList<Dim> boxes(50, cube<Dim>(0, 1));
    method.expect_right(boxes);
    boxes.resize(20);
    method.expect_right(boxes);
    for (std::size_t i = 0; i < boxes.size(); i += 2) boxes[i] = cube<Dim>(static_cast<float>(10 * i + 5), 1);
    method.expect_right(boxes);
    boxes.resize(50, cube<Dim>(5, 1));
    method.expect_right(boxes);
    method.expect_right({});
  });
}

// Godot's incremental result differed from a rebuild after boxes had shrunk or jumped.
TEST_P(KnownMistake, AfterShrinkingOrJumpingTheAnswerIsThatOfARebuild) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    Random random(5);
    BoxList<Dim> boxes = layouts<Dim>().front().make(150, random);
    for (int frame = 0; frame < 40; ++frame) {
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (random.one_in(3)) boxes[i] = cube<Dim>(random.uniform(-5, 5), random.uniform(0, 3));
        if (random.one_in(5)) boxes[i].hi = boxes[i].lo;
      }
      method.expect_right(boxes);
    }
  });
}

// A filter that had changed was not asked again by Bullet.
TEST_P(KnownMistake, AChangedFilterIsAskedAgain) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    const BoxList<Dim> boxes(30, cube<Dim>(0, 1));
    method.update(boxes);
    EXPECT_EQ(method.pairs([](Pair) { return false; }).size(), 0u);
    EXPECT_EQ(method.pairs([](Pair pair) { return pair.a == 0; }).size(), 29u);
    EXPECT_EQ(method.pairs([](Pair) { return true; }).size(), 435u);
  });
}

// Jolt's memory grew with every object that came and went.
TEST_P(KnownMistake, MemoryDoesNotGrowWithChurn) {
  check([]<int Dim>(std::integral_constant<int, Dim>, CheckedMethod<Dim>& method) {
    Random random(7);
    const auto churn = [&](int frames) {
      for (int frame = 0; frame < frames; ++frame) {
        const auto boxes =
            layouts<Dim>().front().make(300 + random.below(200), random);  // borrowed until pairs()
        method.update(boxes);
        method.pairs();
      }
    };
    churn(40);
    const std::size_t settled = method.memory_bytes();
    churn(200);
    EXPECT_LE(method.memory_bytes(), 2 * settled);
  });
}

}  // namespace
}  // namespace winnow::test
