// Every box against every other: the second stage of Avril, Gouranton and Arnaldi 2010. The (n^2 - n) / 2
// tests are cut into even shares, each worker writes to a buffer of its own, and nobody waits for anybody.
// Differs: more shares than workers, so that a slow core does not hold up the rest; a row's tests are SIMD.
#pragma once

#include <cstdint>

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"
#include "winnow/sink.hpp"

namespace winnow {

// (n^2 - n) / 2
std::uint64_t all_pairs_count(std::uint64_t n);

// Pairs of indices into `boxes`.
template <int Dim>
void find_all_pairs(const Boxes<Dim>& boxes, Executor& executor, PairSink& sink);

// Copies the caller's boxes to columns: the projections on the axes.
template <int Dim>
void copy_to_columns(BoxesView<Dim> boxes, Executor& executor, Boxes<Dim>& columns) {
  columns.resize(boxes.size());
  parallel_for(executor, boxes.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) columns.set(i, boxes[i]);
  });
}

}  // namespace winnow
