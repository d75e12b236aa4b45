#include "bench/text.hpp"

#include <algorithm>

#include "scene/scene.hpp"
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
    const std::optional<std::size_t> count = scene::parse_count(part);
    if (!count) throw Error(argument, argument + ": '" + part + "' is not a count such as 1000, 16k or 1M");
    counts.push_back(*count);
  }
  if (counts.empty()) throw Error(argument, argument + ": give at least one count");
  return counts;
}

}  // namespace winnow::bench
