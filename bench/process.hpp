// This process and others: a tidy heap; starting another program and reading what it prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace winnow::bench {

// The standard output of a program that ended well, else nothing. The first word is the program's path.
std::optional<std::string> output_of(std::vector<std::string> words);

// Joins the small pieces that an earlier candidate has freed. Who allocates a node at a time then finds the
// heap of a new program, not places all over memory.
void tidy_heap();

}  // namespace winnow::bench
