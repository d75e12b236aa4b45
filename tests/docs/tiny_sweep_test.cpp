// The method that docs/ADD_A_METHOD.md builds keeps the contract, by the same checks as every registered one.
#include "tiny_sweep.hpp"

#include <gtest/gtest.h>

#include "contract/checks.hpp"

namespace winnow::test {
namespace {

template <int Dim>
Failures failures_of_checks() {
  const Subject<Dim> subject{
      "tiny_sweep", TinySweep<Dim>::option_table().infos(), [](const Settings& settings) {
        return AnyMethod<Dim>::of(TinySweep<Dim>(TinySweep<Dim>::option_table().make(settings)));
      }};
  Failures failures;
  check_layouts(subject, 2, failures);
  check_motions(subject, failures);
  check_refusals(subject, failures);
  check_views(subject, failures);
  return failures;
}

TEST(TinySweep, KeepsTheContractInThePlane) {
  const Failures failures = failures_of_checks<2>();
  EXPECT_TRUE(failures.empty()) << failures.text();
}

TEST(TinySweep, KeepsTheContractInSpace) {
  const Failures failures = failures_of_checks<3>();
  EXPECT_TRUE(failures.empty()) << failures.text();
}

}  // namespace
}  // namespace winnow::test
