#include "bench/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <numeric>

namespace winnow::bench {
namespace {
bool on_terminal() {
  static const bool terminal = isatty(STDERR_FILENO) == 1;
  return terminal;
}
}  // namespace

void Progress::expect(std::size_t weight) { weights_.push_back(weight); }

void Progress::show(const std::string& what, std::size_t done, std::size_t of) {
  if (!on_terminal() || (shown_.ms() < 100 && done != of)) return;
  shown_ = {};
  const auto first = weights_.begin(), here = first + static_cast<std::ptrdiff_t>(part_);
  const double before = static_cast<double>(std::accumulate(first, here, std::size_t{0}));
  const double whole = static_cast<double>(std::accumulate(first, weights_.end(), std::size_t{0}));
  const double share = static_cast<double>(done) / static_cast<double>(of);
  const double ready = (before + share * static_cast<double>(*here)) / whole;
  fmt::print(stderr, "\r\033[K{}: frame {} of {}, {:.0f} % of all, about {:.0f} s left", what, done, of,
             100 * ready, watch_.seconds() / ready * (1 - ready));
  std::fflush(stderr);
}

void Progress::finish_part() {
  if (on_terminal()) fmt::print(stderr, "\r\033[K");
  ++part_;
}

}  // namespace winnow::bench
