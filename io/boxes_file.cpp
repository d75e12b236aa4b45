#include "io/boxes_file.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/csv.hpp"
#include "io/file.hpp"
#include "io/npy.hpp"
#include "winnow/executor.hpp"
#include "winnow/validate.hpp"

namespace winnow::io {
namespace {

// Throws what the library says of the first bad box, after `where(index)`.
template <class Where>
void require_valid_table(const BoxTable& table, Where where) {
  SerialExecutor executor;
  try {
    table.visit([&](auto boxes) { require_valid(boxes, executor); });
  } catch (const Error& error) {
    throw Error("file", where(*error.index()) + error.what(), error.index());
  }
}

BoxTable csv_boxes(const std::string& name, std::string_view text) {
  CsvNumbers numbers = parse_csv(name, text, kCsvBoxes);
  BoxTable table(static_cast<int>(numbers.columns / 2), std::move(numbers.values), false);
  require_valid_table(table, [&](std::size_t row) {
    return name + ": line " + std::to_string(csv_line_of_row(text, row)) + ": ";
  });
  return table;
}

template <class Real>
BoxTable npy_boxes_of(InputFile& file, const NpyHeader& header) {
  Buffer<Real> values(header.values());
  read_npy_values(file, header, values.data(), header.values());
  BoxTable table(static_cast<int>(header.shape[1] / 2), std::move(values), header.fortran_order);
  require_valid_table(table, [&](std::size_t) { return file.name() + ": "; });
  return table;
}

BoxTable npy_boxes(InputFile& file) {
  const NpyHeader header = read_npy_header(file);
  if (header.shape.size() != 2 || (header.shape[1] != 4 && header.shape[1] != 6))
    throw file_error(file.name(), "has shape " + header.shape_text() +
                                      "; boxes are (n, 6): x y z lower, then x y z upper, or (n, 4) in 2D");
  const std::string_view type = std::string_view(header.descr).substr(1);
  if (type == "f4") return npy_boxes_of<float>(file, header);
  if (type == "f8") return npy_boxes_of<double>(file, header);
  throw file_error(file.name(), "holds values of dtype " + header.descr + "; boxes are float32 or float64");
}

}  // namespace

std::size_t BoxTable::size() const {
  return std::visit([this](const auto& values) { return values.size() / (2 * dim_); }, values_);
}

template <int Dim, class Real>
BoxesView<Dim, Real> BoxTable::view() const {
  if (size() == 0) return {};
  const Real* const values = std::get<Buffer<Real>>(values_).data();
  const std::size_t to_next_column = by_columns_ ? size() : 1;
  typename BoxesView<Dim, Real>::Columns lo, hi;
  for (int axis = 0; axis < Dim; ++axis) {
    lo[axis] = values + axis * to_next_column;
    hi[axis] = values + (Dim + axis) * to_next_column;
  }
  return {lo, hi, size(), sizeof(Real) * (by_columns_ ? 1 : 2 * Dim)};
}

template BoxesView<2, float> BoxTable::view() const;
template BoxesView<3, float> BoxTable::view() const;
template BoxesView<2, double> BoxTable::view() const;
template BoxesView<3, double> BoxTable::view() const;

BoxTable read_boxes(const std::string& path) {
  InputFile file(path);
  if (path.ends_with(".npy") || file.begins_with(kNpyMagic)) return npy_boxes(file);
  const Buffer<char> text = file.read_rest();
  return csv_boxes(file.name(), {text.data(), text.size()});
}

}  // namespace winnow::io
