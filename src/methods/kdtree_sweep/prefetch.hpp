// Objects lie as the tree wants them, their boxes as the caller does: each look at one is a cache miss, which
// is asked for in advance.
#pragma once

#include <cstddef>

#include "winnow/boxes.hpp"

namespace winnow::kdtree_sweep {

template <int Dim>
void prefetch(const BoxesView<Dim>& boxes, std::size_t id) {
#if defined(__GNUC__)
  const std::size_t offset = id * boxes.stride_bytes();
  __builtin_prefetch(reinterpret_cast<const std::byte*>(boxes.lo_columns()[0]) + offset);
  __builtin_prefetch(reinterpret_cast<const std::byte*>(boxes.hi_columns()[Dim - 1]) + offset);
#else
  static_cast<void>(boxes), static_cast<void>(id);
#endif
}

}  // namespace winnow::kdtree_sweep
