// One box against a run of boxes in columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "winnow/boxes.hpp"

namespace winnow {

// Values a kernel may read past `end` of a run, and hits it may write past the last one.
inline constexpr std::size_t kOverlapSlack = 16;

// Writes to `hits` the indices in [begin, end) of the boxes that overlap `box`, rising; returns how many.
// Columns are readable kOverlapSlack floats past `end`, and `hits` has room for end - begin + kOverlapSlack.
template <int Dim>
std::size_t overlap_run(const Box<Dim>& box, const BoxColumns<Dim>& run, std::size_t begin, std::size_t end,
                        std::uint32_t* hits);

// The scalar twin.
template <int Dim>
std::size_t overlap_run_scalar(const Box<Dim>& box, const BoxColumns<Dim>& run, std::size_t begin,
                               std::size_t end, std::uint32_t* hits);

}  // namespace winnow
