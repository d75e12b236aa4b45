#include <winnow/winnow.hpp>

#include <iostream>

// A simulation keeps the method and the sink from frame to frame: they keep their memory, and some methods
// use what they learned in the last frame.
int main() {
  const auto executor = winnow::make_executor(0);  // all cores; or an Executor of your own
  auto method = winnow::make_method<2>(winnow::default_method());
  winnow::CollectSink pairs;

  std::vector<winnow::Box2> boxes = {{{0, 0}, {1, 1}}, {{3, 0}, {4, 1}}};
  for (int frame = 0; frame < 4; ++frame) {
    method.update(boxes, *executor);
    method.find_pairs(*executor, pairs);
    std::cout << "frame " << frame << ": " << pairs.size() << " pairs\n";

    boxes[0].lo[0] += 1;  // the first box moves to the right
    boxes[0].hi[0] += 1;
  }
}
