#include "bench/timing.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace winnow::bench {
namespace {

// The value below which this share of the sorted values lies, interpolated.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return sorted[below] * (1 - part) + sorted[above] * part;
}

}  // namespace

Summary summarise(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {.median = quantile(values, 0.5),
          .min = values.front(),
          .p95 = quantile(values, 0.95),
          .quartile1 = quantile(values, 0.25),
          .quartile3 = quantile(values, 0.75),
          .samples = values.size()};
}

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

}  // namespace winnow::bench
