#include "support/compare.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <sstream>

namespace winnow::test {
namespace {

std::atomic<std::uint64_t> comparisons{0};

void tell(std::ostringstream& text, const char* what, const std::vector<Pair>& pairs) {
  constexpr std::size_t kShown = 6;
  if (pairs.empty()) return;
  text << (text.view().empty() ? "" : "; ") << pairs.size() << ' ' << what << ':';
  for (std::size_t i = 0; i < std::min(kShown, pairs.size()); ++i)
    text << " (" << pairs[i].a << ',' << pairs[i].b << ')';
  if (pairs.size() > kShown) text << " ...";
}

}  // namespace

std::string difference(const std::vector<Pair>& expected, std::vector<Pair> found) {
  ++comparisons;
  std::sort(found.begin(), found.end());
  if (found == expected) return {};

  std::vector<Pair> missing, extra, doubled, unexpected, selves, unordered;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                      std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                      std::back_inserter(extra));
  for (const Pair pair : extra) {
    if (pair.a == pair.b)
      selves.push_back(pair);
    else if (pair.a > pair.b)
      unordered.push_back(pair);
    else
      (std::binary_search(expected.begin(), expected.end(), pair) ? doubled : unexpected).push_back(pair);
  }
  std::ostringstream text;
  tell(text, "missing", missing);
  tell(text, "unexpected", unexpected);
  tell(text, "doubled", doubled);
  tell(text, "with itself", selves);
  tell(text, "with a > b", unordered);
  return text.str();
}

std::uint64_t oracle_comparisons() { return comparisons; }
void forget_oracle_comparisons() { comparisons = 0; }

}  // namespace winnow::test
