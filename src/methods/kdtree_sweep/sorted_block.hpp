// The objects of a node in the order of their lower bounds on one axis, in columns: what the sweep reads.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "algo/radix_sort.hpp"
#include "methods/kdtree_sweep/kd_tree.hpp"
#include "simd/sweep.hpp"

namespace winnow::kdtree_sweep {

// What pairs are made of.
enum class Labels {
  ids,
  places,  // in the array that the objects are a part of
};

template <int Dim>
class SortedBlock {
 public:
  using Objects = std::span<const Object<Dim>>;

  // `first`: the place of the first object.
  void assign(Objects objects, int axis, Labels labels, std::size_t first) {
    order_.resize_for_overwrite(objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i)
      order_[i] = {float_key(objects[i].box.lo[axis]), static_cast<std::uint32_t>(i)};
    radix_sort(order_, scratch_, serial_);
    fill(objects, axis, labels, first, [&](std::size_t i) { return order_[i].id; });
  }

  // In the order they have: columns alone.
  void assign_unsorted(Objects objects, Labels labels) {
    fill(objects, 0, labels, 0, [](std::size_t i) { return i; });
  }

  std::size_t size() const { return columns_.size(); }
  // No box is longer than this on the sweep's axis.
  double longest() const { return longest_; }
  // Whether the longest is of the others' kind, or one of a few by itself.
  bool about_one_length() const { return longest_ * static_cast<double>(size()) <= kOneLength * lengths_; }

  SortedRun<Dim> run() const { return {columns_.columns(), ids_.data(), 0, size()}; }
  std::size_t memory_bytes() const {
    return order_.memory_bytes() + scratch_.memory_bytes() + ids_.memory_bytes() + columns_.memory_bytes();
  }

 private:
  template <class Index>
  void fill(Objects objects, int axis, Labels labels, std::size_t first, Index index) {
    const std::size_t count = objects.size();
    columns_.resize(count);
    ids_.resize_for_overwrite(count + kSweepSlack);
    std::fill_n(ids_.data() + count, kSweepSlack, 0u);
    // The sweep's axis is column 0, and x takes its place. Pointers on the stack: stores cannot change them.
    std::array<float*, Dim> lo, hi;
    std::array<int, Dim> source;
    for (int column = 0; column < Dim; ++column) {
      source[column] = column == 0 ? axis : column == axis ? 0 : column;
      lo[column] = columns_.lo(column);
      hi[column] = columns_.hi(column);
    }
    std::uint32_t* ids = ids_.data();
    double longest = 0, lengths = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = index(i);
      const Object<Dim>& object = objects[k];
      for (int column = 0; column < Dim; ++column) {
        lo[column][i] = object.box.lo[source[column]];
        hi[column][i] = object.box.hi[source[column]];
      }
      ids[i] = labels == Labels::ids ? object.id : static_cast<std::uint32_t>(first + k);
      const double length =
          static_cast<double>(object.box.hi[axis]) - static_cast<double>(object.box.lo[axis]);
      longest = std::max(longest, length);
      lengths += length;
    }
    longest_ = std::nextafter(longest, std::numeric_limits<double>::infinity());  // differences are rounded
    lengths_ = lengths;
  }

  static constexpr double kOneLength = 4;  // times the mean

  SerialExecutor serial_;
  double longest_ = 0, lengths_ = 0;
  Buffer<KeyedId<std::uint32_t>> order_;
  RadixScratch<KeyedId<std::uint32_t>> scratch_;
  Buffer<std::uint32_t> ids_;
  Boxes<Dim> columns_;
};

// All pairs of an object of `a` with one of `b`, both sorted along one axis: by rows for the smaller of them
// where the other's boxes allow it, else by the bipartite sweep of the paper.
template <int Dim>
std::uint64_t sweep_between(const SortedBlock<Dim>& a, const SortedBlock<Dim>& b, PairWriter& writer) {
  const SortedBlock<Dim>& few = a.size() < b.size() ? a : b;
  const SortedBlock<Dim>& many = a.size() < b.size() ? b : a;
  if (many.about_one_length() || few.size() * 16 < many.size())
    return sweep_rows(few.run(), many.run(), many.longest(), writer);
  return sweep_two_runs(few.run(), many.run(), writer);
}

}  // namespace winnow::kdtree_sweep
