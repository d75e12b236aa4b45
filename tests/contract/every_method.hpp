// Tests for each registered method in two and three dimensions.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "contract/subject.hpp"

namespace winnow::test {

struct Which {
  std::string method;
  int dim;
};
inline void PrintTo(const Which& which, std::ostream* out) {
  *out << which.method << " in " << which.dim << "D";
}

inline std::vector<Which> every_method() {
  std::vector<Which> all;
  for (const MethodEntry& entry : methods())
    for (const int dim : {2, 3}) all.push_back({entry.info.name, dim});
  return all;
}

inline std::string name_of(const Which& which) {
  return which.method + "_" + std::to_string(which.dim) + "d";
}

// Calls check(subject) for the method in its dimension.
template <class Check>
auto with_subject(const Which& which, Check check) {
  return which.dim == 2 ? check(registered<2>(which.method)) : check(registered<3>(which.method));
}

}  // namespace winnow::test
