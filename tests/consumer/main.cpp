// What a user writes: exits with 0 when the library answers right.
#include <winnow/winnow.hpp>

#include <vector>

int main() {
  const std::vector<winnow::Box3> boxes = {
      {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, {{3, 3, 3}, {4, 4, 4}}};
  const std::vector<winnow::Pair> pairs = winnow::find_pairs(boxes);
  return pairs == std::vector<winnow::Pair>{{0, 1}} ? 0 : 1;
}
