#include "record/summary.hpp"

#include <algorithm>
#include <span>

namespace winnow::record {
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
          .q1 = quantile(values, 0.25),
          .q3 = quantile(values, 0.75)};
}

nlohmann::json to_json(const Summary& summary) {
  return {{"median", summary.median},
          {"min", summary.min},
          {"p95", summary.p95},
          {"q1", summary.q1},
          {"q3", summary.q3}};
}

}  // namespace winnow::record
