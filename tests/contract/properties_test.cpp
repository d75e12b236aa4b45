// What must hold between the answers to related questions, on random boxes: needs no oracle, and shrinks to
// the smallest boxes that break it. The same object answers both questions, so state is tested too.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "contract/every_method.hpp"
#include "support/generators.hpp"
#include "winnow/executor.hpp"

namespace winnow::test {
namespace {

// Whole quarters in a small world: ties and touching boxes are common, and all the changes below are exact.
template <int Dim>
BoxList<Dim> some_boxes() {
  const auto raw = *rc::gen::arbitrary<std::vector<std::array<std::uint8_t, 2 * Dim>>>();
  BoxList<Dim> boxes;
  for (const auto& values : raw) {
    Box<Dim> box;
    for (int axis = 0; axis < Dim; ++axis) {
      box.lo[axis] = 0.25f * static_cast<float>(values[axis] % 64) - 8;
      box.hi[axis] = box.lo[axis] + 0.25f * static_cast<float>(values[Dim + axis] % 24);
    }
    boxes.push_back(box);
  }
  return boxes;
}

template <int Dim>
class Finder {
 public:
  explicit Finder(const Subject<Dim>& subject) : method_(subject.make({})) {}

  std::vector<Pair> operator()(const BoxList<Dim>& boxes) {
    CanonicalSink sink(executor_);
    method_.update(BoxesView<Dim>(boxes), executor_);
    method_.find_pairs(executor_, sink);
    return sink.take();
  }

 private:
  SerialExecutor executor_;
  AnyMethod<Dim> method_;
};

template <int Dim, class Change>
BoxList<Dim> changed(BoxList<Dim> boxes, Change change) {
  for (Box<Dim>& box : boxes) change(box);
  return boxes;
}

// Each property is a function template of the dimension: it finds, changes the boxes, finds again.
struct IdsPermuted {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    const BoxList<Dim> boxes = some_boxes<Dim>();
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<std::uint32_t> new_id(boxes.size());
    std::iota(new_id.begin(), new_id.end(), 0u);
    for (std::size_t i = 1; i < new_id.size(); ++i) std::swap(new_id[i], new_id[random.below(i + 1)]);
    BoxList<Dim> permuted(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) permuted[new_id[i]] = boxes[i];

    std::vector<Pair> expected;
    for (const Pair pair : find(boxes)) expected.push_back(ordered_pair(new_id[pair.a], new_id[pair.b]));
    std::sort(expected.begin(), expected.end());
    RC_ASSERT(find(permuted) == expected);
  }
};

struct AxesSwapped {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    const BoxList<Dim> boxes = some_boxes<Dim>();
    const int axis = *rc::gen::inRange(1, Dim);
    const BoxList<Dim> swapped = changed<Dim>(boxes, [&](Box<Dim>& box) {
      std::swap(box.lo[0], box.lo[axis]);
      std::swap(box.hi[0], box.hi[axis]);
    });
    RC_ASSERT(find(swapped) == find(boxes));
  }
};

struct AnAxisMirrored {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    const BoxList<Dim> boxes = some_boxes<Dim>();
    const int axis = *rc::gen::inRange(0, Dim);
    const BoxList<Dim> mirrored = changed<Dim>(boxes, [&](Box<Dim>& box) {
      const float lo = box.lo[axis];
      box.lo[axis] = -box.hi[axis];
      box.hi[axis] = -lo;
    });
    RC_ASSERT(find(mirrored) == find(boxes));
  }
};

struct ScaledByAPowerOfTwo {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    const BoxList<Dim> boxes = some_boxes<Dim>();
    const int exponent = *rc::gen::inRange(-120, 121);
    const BoxList<Dim> scaled = changed<Dim>(boxes, [&](Box<Dim>& box) {
      for (int axis = 0; axis < Dim; ++axis) {
        box.lo[axis] = std::ldexp(box.lo[axis], exponent);
        box.hi[axis] = std::ldexp(box.hi[axis], exponent);
      }
    });
    RC_ASSERT(find(scaled) == find(boxes));
  }
};

struct AFarBoxAdded {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    BoxList<Dim> boxes = some_boxes<Dim>();
    const std::vector<Pair> expected = find(boxes);
    const float far = std::ldexp(1.0f, *rc::gen::inRange(6, 127));
    Box<Dim> box;
    box.lo.fill(far);
    box.hi.fill(far);
    boxes.push_back(box);
    RC_ASSERT(find(boxes) == expected);
  }
};

struct ABoxRemoved {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    BoxList<Dim> boxes = some_boxes<Dim>();
    RC_PRE(!boxes.empty());
    const auto gone = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(boxes.size()));
    std::vector<Pair> expected;
    for (const Pair pair : find(boxes))
      if (pair.a != gone && pair.b != gone)
        expected.push_back({pair.a - (pair.a > gone), pair.b - (pair.b > gone)});
    boxes.erase(boxes.begin() + gone);
    RC_ASSERT(find(boxes) == expected);
  }
};

struct BoxesInflated {
  template <int Dim>
  static void hold(Finder<Dim>& find) {
    const BoxList<Dim> boxes = some_boxes<Dim>();
    const float margin = 0.25f * static_cast<float>(*rc::gen::inRange(0, 20));
    const std::vector<Pair> before = find(boxes);
    const std::vector<Pair> after = find(changed<Dim>(boxes, [&](Box<Dim>& box) {
      for (int axis = 0; axis < Dim; ++axis) {
        box.lo[axis] -= margin;
        box.hi[axis] += margin;
      }
    }));
    RC_ASSERT(std::includes(after.begin(), after.end(), before.begin(), before.end()));
  }
};

class PairsAreTheSame : public testing::TestWithParam<Which> {
 protected:
  template <class Property>
  void check() {
    EXPECT_TRUE(with_subject(GetParam(), [](const auto& subject) {
      return rc::check([&] {
        auto find = Finder(subject);
        Property::hold(find);
      });
    }));
  }
};
INSTANTIATE_TEST_SUITE_P(Every, PairsAreTheSame, testing::ValuesIn(every_method()),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(PairsAreTheSame, WhenIdsArePermuted) { check<IdsPermuted>(); }
TEST_P(PairsAreTheSame, WhenAxesAreSwapped) { check<AxesSwapped>(); }
TEST_P(PairsAreTheSame, WhenAnAxisIsMirrored) { check<AnAxisMirrored>(); }
TEST_P(PairsAreTheSame, WhenScaledByAPowerOfTwo) { check<ScaledByAPowerOfTwo>(); }
TEST_P(PairsAreTheSame, WhenAFarBoxIsAdded) { check<AFarBoxAdded>(); }
TEST_P(PairsAreTheSame, ButForThoseOfABoxThatIsRemoved) { check<ABoxRemoved>(); }
TEST_P(PairsAreTheSame, OrMoreWhenBoxesAreInflated) { check<BoxesInflated>(); }

}  // namespace
}  // namespace winnow::test
