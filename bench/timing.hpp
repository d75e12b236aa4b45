// Fair timing: contenders take turns in shuffled order, so that a slow second of the machine hits all of them
// alike, and figures are medians with their spread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/summary.hpp"
#include "winnow/executor.hpp"

namespace winnow::bench {

class Stopwatch {
 public:
  double ms() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }
  double seconds() const { return ms() / 1000; }
  double lap_ms() {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(start_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

using record::summarise;
using record::Summary;

struct Timed {
  std::string name;
  std::function<void()> run;           // timed
  std::function<void()> prepare = {};  // not timed, before each run
};

// Runs each of them `rounds` times after one unmeasured round, in a new order every round, and stops early
// (after three rounds at least) when `seconds` are over. Milliseconds, in the order of `timed`.
std::vector<Summary> time_interleaved(std::span<const Timed> timed, std::size_t rounds, double seconds = 60);

// Wakes an executor's threads, which pauses between turns put to sleep: in a simulation they have just
// worked.
void wake(Executor& executor);

}  // namespace winnow::bench
