// The search of a tree for overlapping pairs: the sweep, and what it does about crowded cells.
#pragma once

#include <cstdint>

#include "methods/linear_kdtree/tree.hpp"
#include "winnow/executor.hpp"
#include "winnow/sink.hpp"

namespace winnow::linear_kdtree {

struct SearchCounts {
  std::uint64_t pairs = 0;    // found
  std::uint64_t tests = 0;    // of a box against a box
  std::uint64_t crowded = 0;  // pieces sorted again in trees of crowded cells
  std::uint64_t crowds = 0;   // such trees

  void add(const SearchCounts& other) {
    pairs += other.pairs;
    tests += other.tests;
    crowded += other.crowded;
    crowds += other.crowds;
  }
};

// Writes all overlapping pairs of the tree's boxes, each once, as ids.
template <int Dim>
SearchCounts search_pairs(const Tree<Dim>& tree, double small_enough, Executor& executor, PairSink& sink);

// Writes all pairs of pieces one of whose cells contains the other's, as ids of their boxes.
template <int Dim>
void search_candidates(const Tree<Dim>& tree, Executor& executor, PairSink& sink);

// How many pairs search_candidates writes.
template <int Dim>
std::uint64_t count_candidates(const Tree<Dim>& tree);

}  // namespace winnow::linear_kdtree
