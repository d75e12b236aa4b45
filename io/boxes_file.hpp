// Boxes from a file, CSV or .npy: the row is the box's id.
#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "winnow/boxes.hpp"
#include "winnow/buffer.hpp"

namespace winnow::io {

// n boxes as the file holds them, in the file's precision and order. All are finite and lo <= hi.
class BoxTable {
 public:
  // Values row after row (lo, then hi), or, with `by_columns`, first all of the first column and so on.
  template <class Real>
  BoxTable(int dim, Buffer<Real> values, bool by_columns)
      : dim_(dim), by_columns_(by_columns), values_(std::move(values)) {}

  int dim() const { return dim_; }  // 2 or 3
  std::size_t size() const;
  bool is_double() const { return std::holds_alternative<Buffer<double>>(values_); }

  // Dim and Real as the table has them.
  template <int Dim, class Real>
  BoxesView<Dim, Real> view() const;

  // Calls f(view) with the view of the table's own type.
  template <class F>
  auto visit(F&& f) const {
    if (dim_ == 2) return is_double() ? f(view<2, double>()) : f(view<2, float>());
    return is_double() ? f(view<3, double>()) : f(view<3, float>());
  }

 private:
  int dim_;
  bool by_columns_;
  std::variant<Buffer<float>, Buffer<double>> values_;
};

// Reads a file; "-" is standard input. What begins as a .npy file is one (n x 6 or n x 4, float32 or
// float64), all else is CSV. Throws Error that names the file and the line (CSV) or the box (.npy) for the
// first thing that is wrong.
BoxTable read_boxes(const std::string& path);

}  // namespace winnow::io
