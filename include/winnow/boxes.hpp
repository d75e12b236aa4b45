// Boxes as the library reads them: BoxesView borrows the caller's memory, however it is laid out; Boxes owns
// padded columns that SIMD kernels may read past the end.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "winnow/box.hpp"
#include "winnow/buffer.hpp"
#include "winnow/error.hpp"

namespace winnow {

// Borrowed boxes: one pointer per bound and axis, and one stride in bytes between a box and the next. An
// array of boxes, separate columns and a member of a larger struct are all of this form.
template <int Dim, class Real = float>
class BoxesView {
 public:
  using Columns = std::array<const Real*, Dim>;

  BoxesView() = default;
  BoxesView(const Box<Dim, Real>* boxes, std::size_t size) : BoxesView(boxes, size, sizeof(Box<Dim, Real>)) {}
  BoxesView(std::span<const Box<Dim, Real>> boxes) : BoxesView(boxes.data(), boxes.size()) {}
  BoxesView(const std::vector<Box<Dim, Real>>& boxes) : BoxesView(boxes.data(), boxes.size()) {}

  // Boxes inside larger structs: `first` points to the first one's box, `stride_bytes` is sizeof(the struct).
  BoxesView(const Box<Dim, Real>* first, std::size_t size, std::size_t stride_bytes)
      : size_(size), stride_(stride_bytes) {
    check();
    if (first == nullptr) return;
    for (int axis = 0; axis < Dim; ++axis) {
      lo_[axis] = first->lo.data() + axis;
      hi_[axis] = first->hi.data() + axis;
    }
  }

  // Separate columns, each `stride_bytes` from one value to the next.
  BoxesView(const Columns& lo, const Columns& hi, std::size_t size, std::size_t stride_bytes = sizeof(Real))
      : lo_(lo), hi_(hi), size_(size), stride_(stride_bytes) {
    check();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t stride_bytes() const { return stride_; }

  Real lo(int axis, std::size_t i) const { return *at(lo_[axis], i); }
  Real hi(int axis, std::size_t i) const { return *at(hi_[axis], i); }

  Box<Dim, Real> operator[](std::size_t i) const {
    Box<Dim, Real> box;
    for (int axis = 0; axis < Dim; ++axis) {
      box.lo[axis] = lo(axis, i);
      box.hi[axis] = hi(axis, i);
    }
    return box;
  }

  // Where the first box's bounds lie: for kernels that walk the memory themselves.
  const Columns& lo_columns() const { return lo_; }
  const Columns& hi_columns() const { return hi_; }

  // The caller's array when its boxes lie as Box<Dim> does, else nullptr: the fast path of gathering kernels.
  // Their stride may still be larger than a Box.
  const Box<Dim, Real>* as_boxes() const {
    for (int axis = 0; axis < Dim; ++axis)
      if (lo_[axis] != lo_[0] + axis || hi_[axis] != lo_[0] + Dim + axis) return nullptr;
    return reinterpret_cast<const Box<Dim, Real>*>(lo_[0]);
  }

 private:
  void check() const {
    if (size_ > std::size_t{std::numeric_limits<std::uint32_t>::max()})
      throw Error("boxes", "boxes: at most 4294967295 boxes fit 32-bit ids, got " + std::to_string(size_));
    if (stride_ % alignof(Real) != 0)
      throw Error("stride_bytes", "stride_bytes: must be a multiple of " + std::to_string(alignof(Real)) +
                                      ", got " + std::to_string(stride_));
  }
  const Real* at(const Real* column, std::size_t i) const {
    return reinterpret_cast<const Real*>(reinterpret_cast<const std::byte*>(column) + i * stride_);
  }

  Columns lo_{};
  Columns hi_{};
  std::size_t size_ = 0;
  std::size_t stride_ = sizeof(Box<Dim, Real>);
};

// Pointers to columns of floats, as kernels take them.
template <int Dim>
struct BoxColumns {
  std::array<const float*, Dim> lo;
  std::array<const float*, Dim> hi;
};

// Owned columns. Invariant: kPadding boxes past the end are empty (lo = +inf, hi = -inf), so that a kernel
// may read a whole vector there and finds nothing.
template <int Dim>
class Boxes {
 public:
  static constexpr std::size_t kPadding = 16;

  Boxes() = default;
  explicit Boxes(BoxesView<Dim> boxes) { assign(boxes); }

  void assign(BoxesView<Dim> boxes) {
    resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) set(i, boxes[i]);
  }

  // Boxes added are uninitialised; those that stay keep their values only while the room suffices.
  void resize(std::size_t size) {
    values_.resize_for_overwrite((size + kPadding) * 2 * Dim);
    size_ = size;
    for (int axis = 0; axis < Dim; ++axis) {
      for (std::size_t i = size; i < size + kPadding; ++i) {
        lo(axis)[i] = std::numeric_limits<float>::infinity();
        hi(axis)[i] = -std::numeric_limits<float>::infinity();
      }
    }
  }

  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return values_.memory_bytes(); }
  float* lo(int axis) { return values_.data() + column_size() * axis; }
  float* hi(int axis) { return values_.data() + column_size() * (Dim + axis); }
  const float* lo(int axis) const { return values_.data() + column_size() * axis; }
  const float* hi(int axis) const { return values_.data() + column_size() * (Dim + axis); }

  Box<Dim> operator[](std::size_t i) const {
    Box<Dim> box;
    for (int axis = 0; axis < Dim; ++axis) {
      box.lo[axis] = lo(axis)[i];
      box.hi[axis] = hi(axis)[i];
    }
    return box;
  }
  void set(std::size_t i, const Box<Dim>& box) {
    for (int axis = 0; axis < Dim; ++axis) {
      lo(axis)[i] = box.lo[axis];
      hi(axis)[i] = box.hi[axis];
    }
  }

  BoxColumns<Dim> columns() const {
    BoxColumns<Dim> columns;
    for (int axis = 0; axis < Dim; ++axis) {
      columns.lo[axis] = lo(axis);
      columns.hi[axis] = hi(axis);
    }
    return columns;
  }
  BoxesView<Dim> view() const {
    const BoxColumns<Dim> c = columns();
    return BoxesView<Dim>(c.lo, c.hi, size_);
  }

 private:
  std::size_t column_size() const { return size_ + kPadding; }

  Buffer<float> values_;  // lo columns, then hi columns
  std::size_t size_ = 0;
};

}  // namespace winnow
