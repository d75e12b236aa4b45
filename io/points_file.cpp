#include "io/points_file.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include "io/csv.hpp"
#include "io/file.hpp"
#include "io/npy.hpp"

namespace winnow::io {
namespace {

// Throws with `where(index)` for the first point that is not finite.
template <class Where>
PointTable checked(PointTable table, Where where) {
  table.visit([&]<int Dim, class Real>(PointsView<Dim, Real> points) {
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int axis = 0; axis < Dim; ++axis)
        if (!std::isfinite(points.at(axis, i)))
          throw Error("file",
                      where(i) + "xyz"[axis] + " is " + std::to_string(points.at(axis, i)) +
                          ": coordinates must be finite numbers",
                      i);
  });
  return table;
}

PointTable csv_points(const std::string& name, std::string_view text) {
  CsvNumbers numbers = parse_csv(name, text, kCsvPoints);
  return checked(
      PointTable(static_cast<int>(numbers.columns), std::move(numbers.values), false),
      [&](std::size_t row) { return name + ": line " + std::to_string(csv_line_of_row(text, row)) + ": "; });
}

template <class Real>
PointTable npy_points_of(InputFile& file, const NpyHeader& header) {
  Buffer<Real> values(header.values());
  read_npy_values(file, header, values.data(), header.values());
  return checked(PointTable(static_cast<int>(header.shape[1]), std::move(values), header.fortran_order),
                 [&](std::size_t row) { return file.name() + ": point " + std::to_string(row) + ": "; });
}

PointTable npy_points(InputFile& file) {
  const NpyHeader header = read_npy_header(file);
  if (header.shape.size() != 2 || (header.shape[1] != 2 && header.shape[1] != 3))
    throw file_error(file.name(),
                     "has shape " + header.shape_text() + "; points are (n, 3), or (n, 2) in 2D");
  const std::string_view type = std::string_view(header.descr).substr(1);
  if (type == "f4") return npy_points_of<float>(file, header);
  if (type == "f8") return npy_points_of<double>(file, header);
  throw file_error(file.name(), "holds values of dtype " + header.descr + "; points are float32 or float64");
}

}  // namespace

std::size_t PointTable::size() const {
  return std::visit([this](const auto& values) { return values.size() / static_cast<std::size_t>(dim_); },
                    values_);
}

template <int Dim, class Real>
PointsView<Dim, Real> PointTable::view() const {
  if (size() == 0) return {};
  const Real* const values = std::get<Buffer<Real>>(values_).data();
  typename PointsView<Dim, Real>::Columns columns;
  for (int axis = 0; axis < Dim; ++axis)
    columns[axis] = values + static_cast<std::size_t>(axis) * (by_columns_ ? size() : 1);
  return {columns, size(), sizeof(Real) * (by_columns_ ? 1 : Dim)};
}

template PointsView<2, float> PointTable::view() const;
template PointsView<3, float> PointTable::view() const;
template PointsView<2, double> PointTable::view() const;
template PointsView<3, double> PointTable::view() const;

PointTable read_points(const std::string& path) {
  InputFile file(path);
  if (path.ends_with(".npy") || file.begins_with(kNpyMagic)) return npy_points(file);
  const Buffer<char> text = file.read_rest();
  return csv_points(file.name(), {text.data(), text.size()});
}

}  // namespace winnow::io
