// Objects lie as the tree wants them, their boxes as the caller does: each look at one is a cache miss, which
// is asked for in advance.
#pragma once

#include <cstddef>

#include "winnow/boxes.hpp"

namespace winnow::kdtree_sweep {

// All of a value up to a cache line long.
template <class T>
void prefetch(const T* value) {
#if defined(__GNUC__)
  __builtin_prefetch(value);
  __builtin_prefetch(reinterpret_cast<const std::byte*>(value + 1) - 1);
#else
  static_cast<void>(value);
#endif
}

template <int Dim>
void prefetch(const BoxesView<Dim>& boxes, std::size_t id) {
  const std::size_t offset = id * boxes.stride_bytes();
  prefetch(
      reinterpret_cast<const float*>(reinterpret_cast<const std::byte*>(boxes.lo_columns()[0]) + offset));
  prefetch(reinterpret_cast<const float*>(reinterpret_cast<const std::byte*>(boxes.hi_columns()[Dim - 1]) +
                                          offset));
}

}  // namespace winnow::kdtree_sweep
