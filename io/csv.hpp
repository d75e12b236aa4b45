// Numbers as text: a line holds a box (its lower, then its upper bounds) or a point.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "winnow/buffer.hpp"

namespace winnow::io {

// What a line may be.
struct CsvKind {
  std::size_t columns_2d, columns_3d;
  const char* things;  // "boxes"
  const char* right;   // what a line ought to be, for messages
};
inline constexpr CsvKind kCsvBoxes = {4, 6, "boxes",
                                      "a box is 6 numbers (x y z lower, then x y z upper), or 4 in 2D"};
inline constexpr CsvKind kCsvPoints = {2, 3, "points", "a point is 3 numbers, or 2 in 2D"};

struct CsvNumbers {
  std::size_t columns = 0;
  Buffer<double> values;  // row after row
};

// Numbers are separated by commas or blanks. Empty lines and lines that begin with # are skipped, and so is a
// first line of names (as many as there are columns, none a number). Throws Error with `name` and the line
// for the first thing that is wrong.
CsvNumbers parse_csv(const std::string& name, std::string_view text, const CsvKind& kind);

// The line, counted from 1, that holds row `row`, counted from 0.
std::size_t csv_line_of_row(std::string_view text, std::size_t row);

}  // namespace winnow::io
