// Lists of neighbours to a file. CSV: a neighbour a line: point, neighbour, then, where the lists have them,
// the image's shift along each axis and the squared distance. .npz: the arrays offsets, ids, shifts,
// squared_distances.
#pragma once

#include <string_view>

#include "io/file.hpp"
#include "winnow/neighbours.hpp"

namespace winnow::io {

enum class NeighbourFormat { csv, npz };

// By the file's ending; throws Error for any other than .csv and .npz.
NeighbourFormat neighbour_format_of(std::string_view path);

template <int Dim, class Real>
void write_neighbours(Output& output, NeighbourFormat format, const Neighbours<Dim, Real>& lists);

}  // namespace winnow::io
