// A part of a box in the sorted list: the key of its cell and whose it is. Twelve bytes, because the list and
// its copy for sorting are most of the memory.
#pragma once

#include <cstdint>

namespace winnow::linear_kdtree {

struct Piece {
  std::uint32_t key_high;
  std::uint32_t key_low;
  std::uint32_t id;

  static Piece of(std::uint64_t key, std::uint32_t id) {
    return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), id};
  }
  std::uint64_t key() const { return std::uint64_t{key_high} << 32 | key_low; }
};
static_assert(sizeof(Piece) == 12);

}  // namespace winnow::linear_kdtree
