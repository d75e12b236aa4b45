// Boxes as text: a line holds the lower, then the upper bounds of a box, 6 numbers in 3D and 4 in 2D.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "winnow/buffer.hpp"

namespace winnow::io {

struct CsvNumbers {
  std::size_t columns = 0;  // 4 or 6
  Buffer<double> values;    // row after row
};

// Numbers are separated by commas or blanks. Empty lines and lines that begin with # are skipped, and so is a
// first line of names (as many as there are columns, none a number). Throws Error with `name` and the line
// for the first thing that is wrong.
CsvNumbers parse_csv(const std::string& name, std::string_view text);

// The line, counted from 1, that holds row `row`, counted from 0.
std::size_t csv_line_of_row(std::string_view text, std::size_t row);

}  // namespace winnow::io
