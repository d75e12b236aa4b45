// Starting another program and reading what it prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace winnow::bench {

// The standard output of a program that ended well, else nothing. The first word is the program's path.
std::optional<std::string> output_of(std::vector<std::string> words);

}  // namespace winnow::bench
