// Tests of the tests: methods with a bug planted in them. Each must be caught by the check made for its kind;
// the same method without the bug passes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <span>

#include "contract/checks.hpp"
#include "support/compare.hpp"
#include "winnow/simd.hpp"
#include "winnow/validate.hpp"

namespace winnow::test {
namespace {

constexpr int kDim = 3;
using View = BoxesView<kDim>;
using Check = void (*)(const Subject<kDim>&, Failures&);
using Pairs = std::vector<Pair>;

Subject<kDim> subject_of(AnyMethod<kDim> (*make)()) {
  return {"planted", {}, [make](const Settings&) { return make(); }};
}

std::string failures_of(const Subject<kDim>& subject, Check check) {
  Failures failures;
  check(subject, failures);
  forget_oracle_comparisons();
  return failures.empty() ? "" : failures.text();
}

void two_threads(const Subject<kDim>& subject, Failures& failures) { check_layouts(subject, 2, failures); }

struct State {
  AnyMethod<kDim> method = make_method<kDim>("brute_force");
  View boxes;
};

// Brute force, with its pairs spoilt by spoil(pairs, boxes, workers) on their way to the sink.
template <class Spoil>
AnyMethod<kDim> with_pairs_spoilt(Spoil spoil) {
  const auto state = std::make_shared<State>();
  return method_of<kDim>(
      [state](View boxes, Executor& executor) {
        state->method.update(boxes, executor);
        state->boxes = boxes;
      },
      [state, spoil](Executor& executor, PairSink& sink) {
        CollectSink collected;
        state->method.find_pairs(executor, collected);
        Pairs pairs = collected.join(executor);
        spoil(pairs, state->boxes, executor.workers());
        for (const Pair pair : pairs) sink.writer(0).write(pair);
      });
}

void drop_one(Pairs& pairs) {
  if (!pairs.empty()) pairs.pop_back();
}

AnyMethod<kDim> faithful() {
  return with_pairs_spoilt([](Pairs&, View, std::size_t) {});
}
AnyMethod<kDim> dropping_one() {
  return with_pairs_spoilt([](Pairs& pairs, View, std::size_t) { drop_one(pairs); });
}
AnyMethod<kDim> doubling_one() {
  return with_pairs_spoilt([](Pairs& pairs, View, std::size_t) {
    if (!pairs.empty()) pairs.push_back(pairs.front());
  });
}
AnyMethod<kDim> exchanging_one() {
  return with_pairs_spoilt([](Pairs& pairs, View boxes, std::size_t) {
    if (!pairs.empty() && pairs.back().b + 1 < boxes.size()) ++pairs.back().b;
  });
}
AnyMethod<kDim> pairing_with_itself() {
  return with_pairs_spoilt([](Pairs& pairs, View boxes, std::size_t) {
    if (!boxes.empty()) pairs.push_back({0, 0});
  });
}
AnyMethod<kDim> turning_pairs_round() {
  return with_pairs_spoilt([](Pairs& pairs, View, std::size_t) {
    for (Pair& pair : pairs) std::swap(pair.a, pair.b);
  });
}
AnyMethod<kDim> with_touching_apart() {
  return with_pairs_spoilt([](Pairs& pairs, View boxes, std::size_t) {
    std::erase_if(pairs, [&](Pair pair) {
      const Box<kDim> a = boxes[pair.a], b = boxes[pair.b];
      for (int axis = 0; axis < kDim; ++axis)
        if (a.hi[axis] == b.lo[axis] || b.hi[axis] == a.lo[axis]) return true;
      return false;
    });
  });
}
AnyMethod<kDim> with_zeros_of_two_signs() {
  return with_pairs_spoilt([](Pairs& pairs, View boxes, std::size_t) {
    std::erase_if(pairs, [&](Pair pair) {
      const float hi = boxes[pair.a].hi[0], lo = boxes[pair.b].lo[0];
      return hi == lo && std::signbit(hi) != std::signbit(lo);
    });
  });
}
AnyMethod<kDim> dropping_with_two_workers() {
  return with_pairs_spoilt([](Pairs& pairs, View, std::size_t workers) {
    if (workers > 1) drop_one(pairs);
  });
}
AnyMethod<kDim> dropping_at_the_best_simd_level() {
  return with_pairs_spoilt([](Pairs& pairs, View, std::size_t) {
    if (simd_level() == available_simd_levels().back()) drop_one(pairs);
  });
}
AnyMethod<kDim> with_a_fixed_pair_buffer() {
  return with_pairs_spoilt([](Pairs& pairs, View, std::size_t) {
    if (pairs.size() > 4096) pairs.resize(4096);
  });
}
AnyMethod<kDim> dropping_among_many() {
  return with_pairs_spoilt([](Pairs& pairs, View boxes, std::size_t) {
    if (boxes.size() > 4096) drop_one(pairs);
  });
}

// Brute force, with update(state, boxes, executor) in place of its own.
template <class Update>
AnyMethod<kDim> with_update(Update update) {
  const auto state = std::make_shared<State>();
  return method_of<kDim>([state, update](View boxes, Executor& executor) { update(*state, boxes, executor); },
                         [state](Executor& executor, PairSink& sink) {
                           CollectSink collected;
                           state->method.find_pairs(executor, collected);
                           for (const Pair pair : collected.join(executor)) sink.writer(0).write(pair);
                         });
}

AnyMethod<kDim> blind_to_motion() {
  return with_update([](State& state, View boxes, Executor& executor) {
    require_valid(boxes, executor);
    if (boxes.size() != state.boxes.size() || boxes.empty()) state.method.update(boxes, executor);
    state.boxes = boxes;
  });
}
AnyMethod<kDim> accepting_bad_boxes() {
  return with_update([](State& state, View boxes, Executor& executor) {
    if (!first_bad_box(boxes, executor)) state.method.update(boxes, executor);
  });
}
AnyMethod<kDim> naming_another_box() {
  return with_update([](State& state, View boxes, Executor& executor) {
    if (first_bad_box(boxes, executor)) throw Error("boxes", "there is a bad box", boxes.size() - 1);
    state.method.update(boxes, executor);
  });
}
AnyMethod<kDim> forgetting_what_it_had_when_it_refuses() {
  return with_update([](State& state, View boxes, Executor& executor) {
    state.method.update(View(), executor);
    state.method.update(boxes, executor);
  });
}
AnyMethod<kDim> reading_only_arrays() {
  return with_update([](State& state, View boxes, Executor& executor) {
    typename View::Columns lo = boxes.lo_columns(), hi = boxes.hi_columns();
    state.method.update(View(lo, hi, boxes.size(), sizeof(float)), executor);
  });
}

// Gives its pairs away: there are none the second time.
AnyMethod<kDim> answering_once() {
  const auto state = std::make_shared<State>();
  return method_of<kDim>([state](View boxes, Executor& executor) { state->method.update(boxes, executor); },
                         [state](Executor& executor, PairSink& sink) {
                           CollectSink collected;
                           state->method.find_pairs(executor, collected);
                           for (const Pair pair : collected.join(executor)) sink.writer(0).write(pair);
                           state->method.update(View(), executor);
                         });
}

// Compares in whatever mode the executor's threads happen to be in.
AnyMethod<kDim> with_the_threads_float_mode() {
  const auto state = std::make_shared<State>();
  return method_of<kDim>(
      [state](View boxes, Executor& executor) {
        require_valid(boxes, executor);
        state->boxes = boxes;
      },
      [state](Executor& executor, PairSink& sink) {
        const View boxes = state->boxes;
        executor.parallel_for(boxes.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
          for (std::size_t a = begin; a < end; ++a)
            for (std::size_t b = a + 1; b < boxes.size(); ++b)
              if (overlaps(boxes[a], boxes[b]))
                sink.writer(worker).write({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
        });
      });
}

// Knows of coincident boxes only, and counts their pairs in 32 bits.
AnyMethod<kDim> with_a_32_bit_count() {
  const auto n = std::make_shared<std::uint32_t>(0);
  return method_of<kDim>([n](View boxes, Executor&) { *n = static_cast<std::uint32_t>(boxes.size()); },
                         [n](Executor&, PairSink& sink) {
                           const auto pairs = static_cast<std::int32_t>(std::uint64_t{*n} * (*n - 1) / 2);
                           PairWriter& writer = sink.writer(0);
                           for (std::int32_t i = 0; i < pairs; ++i) writer.write({0, 1});
                         });
}

struct Planted {
  const char* name;
  AnyMethod<kDim> (*make)();
  Check check;
  const char* told;  // part of the message
};
void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }

class PlantedBug : public testing::TestWithParam<Planted> {};

TEST_P(PlantedBug, IsCaught) {
  const Planted& bug = GetParam();
  const std::string text = failures_of(subject_of(bug.make), bug.check);
  EXPECT_NE(text.find(bug.told), std::string::npos) << "told only: " << text;
}

const Planted kPlanted[] = {
    {"drops_one_pair", dropping_one, two_threads, "1 missing"},
    {"reports_one_pair_twice", doubling_one, two_threads, "1 doubled"},
    {"reports_another_pair", exchanging_one, two_threads, "1 unexpected"},
    {"pairs_a_box_with_itself", pairing_with_itself, two_threads, "1 with itself"},
    {"has_a_greater_than_b", turning_pairs_round, two_threads, "with a > b"},
    {"treats_touching_as_apart", with_touching_apart, two_threads, "missing"},
    {"treats_minus_zero_as_less_than_zero", with_zeros_of_two_signs, two_threads, "signed_zeros"},
    {"depends_on_the_number_of_threads", dropping_with_two_workers, two_threads, "missing"},
    {"depends_on_the_simd_level", dropping_at_the_best_simd_level, two_threads, "missing"},
    {"has_a_fixed_pair_buffer", with_a_fixed_pair_buffer, two_threads, "missing"},
    {"drops_a_pair_among_many", dropping_among_many, check_many_boxes<kDim>, "missing"},
    {"does_not_see_motion", blind_to_motion, check_motions<kDim>, "small_steps"},
    {"accepts_bad_boxes", accepting_bad_boxes, check_refusals<kDim>, "was accepted"},
    {"names_another_bad_box", naming_another_box, check_refusals<kDim>, "names another box"},
    {"loses_its_state_with_bad_boxes", forgetting_what_it_had_when_it_refuses, check_refusals<kDim>,
     "pairs of the boxes before"},
    {"reads_only_arrays", reading_only_arrays, check_views<kDim>, "boxes as inside structs"},
    {"answers_only_once", answering_once, check_sinks<kDim>, "asked again"},
    {"computes_in_the_callers_float_mode", with_the_threads_float_mode, check_float_modes<kDim>,
     "flushed to zero"},
    {"counts_in_32_bits", with_a_32_bit_count, check_pair_count_beyond_31_bits<kDim>,
     "counts 0 of 2147516416"},
};
INSTANTIATE_TEST_SUITE_P(Of, PlantedBug, testing::ValuesIn(kPlanted),
                         [](const auto& test) { return test.param.name; });

TEST(PlantedBug, InOneSettingIsCaught) {
  const std::vector<OptionInfo> options = {{"mode", "", "", "good|bad", "good"},
                                           {"size", "", "objects", "1 .. 9", "4"}};
  const auto broken_when = [&](const char* name, const char* value) {
    return Subject<kDim>{"planted", options, [=](const Settings& settings) {
                           for (const Setting& setting : settings)
                             if (setting.name == name && setting.value == value) return dropping_one();
                           return faithful();
                         }};
  };
  EXPECT_NE(failures_of(broken_when("mode", "bad"), check_settings<kDim>).find("mode=bad"),
            std::string::npos);
  EXPECT_NE(failures_of(broken_when("size", "9"), check_settings<kDim>).find("size=9"), std::string::npos);
  EXPECT_EQ(failures_of(broken_when("none", ""), check_settings<kDim>), "");
}

TEST(PlantedBug, WhenThereIsNoneNothingIsCaught) {
  for (const Check check :
       {Check(two_threads), Check(check_motions<kDim>), Check(check_refusals<kDim>), Check(check_views<kDim>),
        Check(check_sinks<kDim>), Check(check_float_modes<kDim>)})
    EXPECT_EQ(failures_of(subject_of(faithful), check), "");
}

}  // namespace
}  // namespace winnow::test
