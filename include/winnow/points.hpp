// Points as the library reads them: borrowed from the caller's memory, however it is laid out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "winnow/error.hpp"

namespace winnow {

template <int Dim, class Real = float>
using Point = std::array<Real, Dim>;

// Which image of a neighbour it is: neighbour j at x_j + shift * period. Small, for it is kept per neighbour.
template <int Dim>
using ImageShift = std::array<std::int8_t, Dim>;

// One pointer per axis, and one stride in bytes from a point to the next: an array of points, separate
// columns and a member of a larger struct are all of this form.
template <int Dim, class Real = float>
class PointsView {
 public:
  using Columns = std::array<const Real*, Dim>;

  PointsView() = default;
  PointsView(const std::vector<Point<Dim, Real>>& points) : PointsView(points.data(), points.size()) {}
  PointsView(const Point<Dim, Real>* first, std::size_t size,
             std::size_t stride_bytes = sizeof(Point<Dim, Real>))
      : size_(size), stride_(stride_bytes) {
    check();
    if (first == nullptr) return;
    for (int axis = 0; axis < Dim; ++axis) columns_[axis] = first->data() + axis;
  }
  PointsView(const Columns& columns, std::size_t size, std::size_t stride_bytes = sizeof(Real))
      : columns_(columns), size_(size), stride_(stride_bytes) {
    check();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Real at(int axis, std::size_t i) const {
    return *reinterpret_cast<const Real*>(reinterpret_cast<const std::byte*>(columns_[axis]) + i * stride_);
  }
  Point<Dim, Real> operator[](std::size_t i) const {
    Point<Dim, Real> point;
    for (int axis = 0; axis < Dim; ++axis) point[axis] = at(axis, i);
    return point;
  }

 private:
  void check() const {
    if (size_ > std::size_t{std::numeric_limits<std::uint32_t>::max()})
      throw Error("points", "points: at most 4294967295 points fit 32-bit ids, got " + std::to_string(size_));
    if (stride_ % alignof(Real) != 0)
      throw Error("stride_bytes", "stride_bytes: must be a multiple of " + std::to_string(alignof(Real)) +
                                      ", got " + std::to_string(stride_));
  }

  Columns columns_{};
  std::size_t size_ = 0;
  std::size_t stride_ = sizeof(Point<Dim, Real>);
};

}  // namespace winnow
