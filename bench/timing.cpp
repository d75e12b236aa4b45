#include "bench/timing.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>

namespace winnow::bench {
std::vector<Summary> time_interleaved(std::span<const Timed> timed, std::size_t rounds, double seconds) {
  std::vector<std::vector<double>> times(timed.size());
  std::vector<std::size_t> order(timed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  const Stopwatch whole;
  for (std::size_t round = 0; round <= rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      if (timed[i].prepare) timed[i].prepare();
      const Stopwatch watch;
      timed[i].run();
      const double ms = watch.ms();
      if (round != 0) times[i].push_back(ms);  // the first round warms up
    }
    if (round >= 3 && whole.seconds() > seconds) break;
  }
  std::vector<Summary> summaries;
  for (std::vector<double>& t : times) summaries.push_back(summarise(std::move(t)));
  return summaries;
}

void wake(Executor& executor) {
  const std::size_t workers = executor.workers();
  if (workers == 1) return;
  std::atomic<std::size_t> awake{0};
  const Stopwatch watch;
  executor.parallel_for(workers, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    awake += end - begin;
    while (awake < workers && watch.ms() < 1) {
    }
  });
}

}  // namespace winnow::bench
