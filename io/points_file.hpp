// Points from a file, CSV or .npy: the row is the point's number.
#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "winnow/buffer.hpp"
#include "winnow/points.hpp"

namespace winnow::io {

// n points as the file holds them, in the file's precision and order. All are finite.
class PointTable {
 public:
  // Values row after row, or, with `by_columns`, first all of the first column and so on.
  template <class Real>
  PointTable(int dim, Buffer<Real> values, bool by_columns)
      : dim_(dim), by_columns_(by_columns), values_(std::move(values)) {}

  int dim() const { return dim_; }  // 2 or 3
  std::size_t size() const;
  bool is_double() const { return std::holds_alternative<Buffer<double>>(values_); }

  // Calls f(view) with the view of the table's own type.
  template <class F>
  auto visit(F&& f) const {
    if (dim_ == 2) return is_double() ? f(view<2, double>()) : f(view<2, float>());
    return is_double() ? f(view<3, double>()) : f(view<3, float>());
  }

 private:
  template <int Dim, class Real>
  PointsView<Dim, Real> view() const;

  int dim_;
  bool by_columns_;
  std::variant<Buffer<float>, Buffer<double>> values_;
};

// Reads a file; "-" is standard input. What begins as a .npy file is one (n x 3 or n x 2, float32 or
// float64), all else is CSV. Throws Error that names the file and the line (CSV) or the point (.npy) for the
// first thing that is wrong.
PointTable read_points(const std::string& path);

}  // namespace winnow::io
