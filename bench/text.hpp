// Lists as typed on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winnow::bench {

// The parts between separators; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);

// "1000,16k,1M" -> 1000, 16000, 1000000. Throws Error naming the argument.
std::vector<std::size_t> parse_counts(std::string_view text, const std::string& argument);

}  // namespace winnow::bench
