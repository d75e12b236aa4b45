// The linear kd-tree itself: boxes along the curve of their codes, and the sorted list of their pieces.
#pragma once

#include <cstdint>
#include <span>

#include "algo/radix_sort.hpp"
#include "methods/linear_kdtree/code_space.hpp"
#include "methods/linear_kdtree/piece.hpp"
#include "methods/linear_kdtree/splitter.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow::linear_kdtree {

// How boxes become pieces.
struct SplitRule {
  bool split = true;
  bool octree = false;
  double small_enough = 0;  // cell volume / box volume where splitting ends

  friend bool operator==(const SplitRule&, const SplitRule&) = default;
};

template <int Dim>
class Tree {
 public:
  // What the sweep reads of a box: its bounds and the code of its lower corner.
  struct Item {
    Box<Dim> box;
    std::uint64_t corner;
  };

  explicit Tree(const SplitRule& rule, bool coherent = false) : rule_(rule), coherent_(coherent) {}

  const CodeSpace<Dim>& space() const { return space_; }
  void set_space(const CodeSpace<Dim>& space) {
    space_ = space;
    comparable_ = false;
  }

  // Takes the boxes of a new frame. With coherence the boxes keep their order along the curve while it still
  // is one, and only the pieces of boxes with new codes are sorted and merged, if these are few.
  void assign(BoxesView<Dim> boxes, Executor& executor);

  std::size_t size() const { return items_.size(); }
  std::span<const Piece> pieces() const { return {pieces_.data(), pieces_.size()}; }  // sorted by key
  const Item& item(std::uint32_t rank) const { return items_[rank]; }
  std::uint32_t id(std::uint32_t rank) const { return order_[rank]; }  // of the box with this rank

  void prefetch(std::uint32_t rank) const { __builtin_prefetch(&items_[rank]); }

  double cell_volume() const;                                   // of all pieces' cells together
  std::size_t pieces_sorted() const { return pieces_sorted_; }  // by the last assign
  std::size_t memory_bytes() const;

 private:
  void sort_order(BoxesView<Dim> boxes, Executor& executor);
  std::size_t code_items(BoxesView<Dim> boxes, Executor& executor);
  template <class Keep>
  void split_items(Buffer<Piece>& pieces, Executor& executor, Keep keep);
  void merge_changed(Executor& executor);

  SplitRule rule_;
  bool coherent_;
  CodeSpace<Dim> space_;

  Buffer<std::uint32_t> order_;  // ids along the curve; ranks are places in it
  bool order_is_stale_ = true;
  bool comparable_ = false;  // codes and pieces are of the last frame, the same space and the same order

  Buffer<Item> items_;               // by rank
  Buffer<std::uint64_t> far_codes_;  // by rank: of the upper corner, and the depth that is enough
  Buffer<std::uint8_t> changed_;     // by rank: codes differ from the last frame's
  Buffer<Piece> pieces_, changed_pieces_;
  RadixScratch<Piece> scratch_, changed_scratch_;
  std::size_t pieces_sorted_ = 0;
};

}  // namespace winnow::linear_kdtree
