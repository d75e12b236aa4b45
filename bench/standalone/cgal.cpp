// The least program that finds overlapping pairs with CGAL: what the peer cgal_boxes is held against.
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

#include <iterator>

#include "frames.hpp"

int main(int argc, char** argv) {
  using Box = CGAL::Box_intersection_d::Box_with_info_d<float, 3, unsigned>;
  std::vector<Box> input;
  std::vector<std::pair<unsigned, unsigned>> pairs;
  return time_frames(argc, argv, [&](std::vector<RawBox>& boxes) {
    input.clear();
    pairs.clear();
    for (unsigned i = 0; i < boxes.size(); ++i) input.emplace_back(boxes[i].lo, boxes[i].hi, i);
    CGAL::box_self_intersection_d(
        input.begin(), input.end(),
        [&](const Box& a, const Box& b) { pairs.emplace_back(a.info(), b.info()); },
        std::clamp<std::ptrdiff_t>(std::ssize(boxes) / 160, 200, 1600));
  });
}
