// Pairs to a file or to standard output: CSV, one pair a line, or .npy, n x 2 of uint32.
#pragma once

#include <span>
#include <string_view>

#include "io/file.hpp"
#include "winnow/pair.hpp"

namespace winnow::io {

enum class PairFormat { csv, npy };

// By the ending of a file's name; throws Error for any other than .csv and .npy.
PairFormat pair_format_of(std::string_view path);

// Writes the parts one after the other, as one list.
void write_pairs(Output& output, PairFormat format, std::span<const std::span<const Pair>> parts);

}  // namespace winnow::io
