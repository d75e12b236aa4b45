// The tests' main: as GoogleTest's, and the number of comparisons with the oracle at the end. `check` adds
// these lines up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "support/compare.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  setenv("RC_PARAMS", "seed=1 max_success=400",
         0);  // RapidCheck: the same cases every time, unless somebody wants others
  const int status = RUN_ALL_TESTS();
  if (const auto count = winnow::test::oracle_comparisons(); count != 0)
    std::cout << "oracle comparisons: " << count << '\n';
  return status;
}
