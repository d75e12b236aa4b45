// Objects lie as the tree wants them, their boxes as the caller does: each look at one is a cache miss, which
// is asked for in advance.
#pragma once

#include <cstddef>

#include "winnow/boxes.hpp"

namespace winnow::kdtree_sweep {

inline void prefetch_line(const std::byte* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
}

template <int Dim>
void prefetch(const Box<Dim>* box) {
  prefetch_line(reinterpret_cast<const std::byte*>(box));
  prefetch_line(reinterpret_cast<const std::byte*>(box + 1) - 1);
}

template <int Dim>
void prefetch(const BoxesView<Dim>& boxes, std::size_t id) {
  const std::size_t offset = id * boxes.stride_bytes();
  prefetch_line(reinterpret_cast<const std::byte*>(boxes.lo_columns()[0]) + offset);
  prefetch_line(reinterpret_cast<const std::byte*>(boxes.hi_columns()[Dim - 1]) + offset);
}

}  // namespace winnow::kdtree_sweep
