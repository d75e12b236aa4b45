// A line on the terminal that says where a long run is and how long it still takes; nothing elsewhere.
#pragma once

#include <string>

#include "bench/timing.hpp"

namespace winnow::bench {

class Progress {
 public:
  // Tells of a part to come; its weight is what its time is about proportional to.
  void expect(std::size_t weight);
  // The part at hand is so far.
  void show(const std::string& what, std::size_t done, std::size_t of);
  // Clears the line and goes on to the next part.
  void finish_part();

 private:
  std::vector<std::size_t> weights_;
  std::size_t part_ = 0;
  Stopwatch watch_;
  Stopwatch shown_;
};

}  // namespace winnow::bench
