// The sweep (Poirrier 2009, 5.5) turned round: instead of walking from each piece over its subtree, walk the
// sorted list once and keep the pieces whose subtree the walk is in. They are a stack, and its boxes lie in
// columns, ready to be tested against the box that comes next.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/overlap.hpp"
#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"

namespace winnow::linear_kdtree {

template <int Dim>
class Ancestors {
 public:
  std::size_t size() const { return size_; }
  std::uint32_t place(std::size_t i) const { return places_[i]; }    // of the piece in the sorted list
  std::uint32_t id(std::size_t i) const { return ids_[i]; }          // of its box
  std::uint64_t corner(std::size_t i) const { return corners_[i]; }  // code of the box's lower corner

  // Forgets those whose subtree ends before `key`.
  void leave(std::uint64_t key) {
    while (size_ != 0 && last_keys_[size_ - 1] < key) --size_;
  }

  void enter(std::uint32_t place, std::uint64_t last_key, std::uint32_t id, std::uint64_t corner,
             const Box<Dim>& box) {
    if (size_ == places_.size()) grow();
    places_[size_] = place;
    ids_[size_] = id;
    corners_[size_] = corner;
    last_keys_[size_] = last_key;
    for (int axis = 0; axis < Dim; ++axis) {
      lo_[axis][size_] = box.lo[axis];
      hi_[axis][size_] = box.hi[axis];
    }
    ++size_;
  }

  // Which of them overlap the box, by their numbers here; valid until the next call.
  std::span<const std::uint32_t> overlapping(const Box<Dim>& box) {
    if (size_ == 0) return {};
    BoxColumns<Dim> columns;
    for (int axis = 0; axis < Dim; ++axis) {
      columns.lo[axis] = lo_[axis].data();
      columns.hi[axis] = hi_[axis].data();
    }
    return {hits_.data(), overlap_run(box, columns, 0, size_, hits_.data())};
  }

 private:
  void grow() {
    const std::size_t room = std::max<std::size_t>(64, 2 * places_.size());
    for (int axis = 0; axis < Dim; ++axis) {
      lo_[axis].resize(room + kOverlapSlack);
      hi_[axis].resize(room + kOverlapSlack);
    }
    ids_.resize(room);
    corners_.resize(room);
    last_keys_.resize(room);
    hits_.resize(room + kOverlapSlack);
    places_.resize(room);
  }

  std::size_t size_ = 0;
  std::array<Buffer<float>, Dim> lo_, hi_;
  Buffer<std::uint32_t> places_, ids_;
  Buffer<std::uint64_t> corners_;
  Buffer<std::uint64_t> last_keys_;  // Invariant: never rises from an entry to the next
  Buffer<std::uint32_t> hits_;
};

}  // namespace winnow::linear_kdtree
