// The contract of docs/CONTRACT.md, for every registered method: a new line in the registry is checked here
// without another word.
#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>

#include "contract/checks.hpp"
#include "contract/every_method.hpp"

namespace winnow::test {
namespace {

// Calls check(subject, failures) in the right dimension and fails the test when there are failures.
template <class Check>
void require(const Which& which, Check check) {
  Failures failures;
  with_subject(which, [&](const auto& subject) { check(subject, failures); });
  EXPECT_TRUE(failures.empty()) << failures.text();
}

using WhichAndThreads = std::tuple<Which, std::size_t>;

std::string name_of(const WhichAndThreads& param) {
  return name_of(std::get<0>(param)) + "_" + std::to_string(std::get<1>(param)) + "_threads";
}

class Contract : public testing::TestWithParam<Which> {};
class ContractByThreads : public testing::TestWithParam<WhichAndThreads> {};

constexpr auto kNameOf = [](const auto& test) { return name_of(test.param); };
INSTANTIATE_TEST_SUITE_P(Every, Contract, testing::ValuesIn(every_method()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Every, ContractByThreads,
                         testing::Combine(testing::ValuesIn(every_method()),
                                          testing::ValuesIn(kThreadCounts)),
                         kNameOf);

TEST_P(ContractByThreads, FindsThePairsOfEveryLayoutAtEverySimdLevel) {
  const auto& [which, threads] = GetParam();
  require(which, [threads = threads](const auto& subject, Failures& failures) {
    check_layouts(subject, threads, failures);
  });
}

TEST_P(Contract, FindsThePairsOfManyBoxes) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_many_boxes(subject, failures); });
}

TEST_P(Contract, FollowsMovingBoxesFromFrameToFrame) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_motions(subject, failures); });
}

TEST_P(Contract, FindsTheSamePairsWithEverySetting) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_settings(subject, failures); });
}

TEST_P(Contract, RefusesBadBoxesAndAnswersAsBefore) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_refusals(subject, failures); });
}

TEST_P(Contract, DoesNotDependOnTheCallersFloatMode) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_float_modes(subject, failures); });
}

TEST_P(Contract, ReadsBoxesWhereverTheyLie) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_views(subject, failures); });
}

TEST_P(Contract, FillsEverySinkWithTheSamePairs) {
  require(GetParam(), [](const auto& subject, Failures& failures) { check_sinks(subject, failures); });
}

TEST_P(Contract, CountsMorePairsThanFit31Bits) {
  if (std::getenv("WINNOW_LONG_TESTS") == nullptr || kSanitized || GetParam().dim == 2)
    GTEST_SKIP() << "takes seconds for each method: set WINNOW_LONG_TESTS, as ./check does";
  require(GetParam(), [](const auto& subject, Failures& failures) {
    check_pair_count_beyond_31_bits(subject, failures);
  });
}

}  // namespace
}  // namespace winnow::test
