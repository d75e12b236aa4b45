#include <winnow/winnow.hpp>

#include <iostream>

int main() {
  const std::vector<winnow::Box3> boxes = {
      {{0, 0, 0}, {1, 1, 1}},
      {{1, 1, 1}, {2, 2, 2}},  // touches the first one: that is an overlap
      {{3, 3, 3}, {4, 4, 4}},
  };
  for (const auto [a, b] : winnow::find_pairs(boxes)) std::cout << a << ',' << b << '\n';
}
