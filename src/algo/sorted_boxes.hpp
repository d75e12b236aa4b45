// Boxes in the order of their lower bounds along one axis, ready to be swept.
#pragma once

#include <cstdint>

#include "algo/radix_sort.hpp"
#include "simd/sweep.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow {

template <int Dim>
class SortedBoxes {
 public:
  // Sorts the boxes along `axis`. Ids are their indices in `boxes`.
  void assign(BoxesView<Dim> boxes, int axis, Executor& executor);

  std::size_t size() const { return columns_.size(); }
  int axis() const { return axis_; }

  // Column 0 of the run is the sorted axis.
  SortedRun<Dim> run() const { return {columns_.columns(), ids_.data(), 0, columns_.size()}; }

  std::size_t memory_bytes() const {
    return order_.memory_bytes() + scratch_.memory_bytes() + ids_.memory_bytes() + columns_.memory_bytes();
  }

 private:
  int axis_ = 0;
  Buffer<KeyedId<std::uint32_t>> order_;
  RadixScratch<KeyedId<std::uint32_t>> scratch_;
  Buffer<std::uint32_t> ids_;
  Boxes<Dim> columns_;
};

// Finds all pairs of the run. The run is cut into shares of about the same work, judged by the lengths of
// sampled rows; each worker writes to its own writer. Returns the number of pairs tested.
template <int Dim>
std::uint64_t sweep_parallel(const SortedRun<Dim>& run, Executor& executor, PairSink& sink);

}  // namespace winnow
