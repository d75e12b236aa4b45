#include "bench/text.hpp"

#include <algorithm>
#include <charconv>

#include "winnow/error.hpp"

namespace winnow::bench {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end != begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::size_t> parse_counts(std::string_view text, const std::string& argument) {
  std::vector<std::size_t> counts;
  for (const std::string& part : split(text, ',')) {
    std::size_t count = 0;
    const char* end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, count);
    const std::string unit(rest, end);
    const std::size_t factor = unit.empty() ? 1 : unit == "k" ? 1000 : unit == "M" ? 1000000 : 0;
    if (error != std::errc() || factor == 0 || count == 0 || count > 4294967295u / factor)
      throw Error(argument, argument + ": '" + part + "' is not a count such as 1000, 16k or 1M");
    counts.push_back(count * factor);
  }
  if (counts.empty()) throw Error(argument, argument + ": give at least one count");
  return counts;
}

}  // namespace winnow::bench
