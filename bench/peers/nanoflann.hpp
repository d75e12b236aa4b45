// nanoflann, the kd-tree that people use for neighbours within a radius.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "winnow/points.hpp"

namespace winnow::bench {

// Full lists in compressed rows.
struct PlainLists {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> ids;
};

// Builds the tree and asks it for every point, a point not being its own neighbour. Lists keep their room.
void nanoflann_neighbours(std::span<const Point<3>> points, float radius, PlainLists& lists);

std::string nanoflann_version();

}  // namespace winnow::bench
