#include "io/neighbours_file.hpp"

#include <charconv>

#include "io/npz.hpp"

namespace winnow::io {
namespace {

constexpr std::size_t kBlock = 1 << 20;  // bytes formatted before they are written
constexpr std::size_t kMostLine = 2 * 11 + 3 * 5 + 32;

template <int Dim, class Real>
void write_csv(Output& output, const Neighbours<Dim, Real>& lists) {
  Buffer<char> text(kBlock);
  char* out = text.data();
  char* const end = out + kBlock;
  for (std::size_t row = 0; row < lists.rows(); ++row) {
    for (std::uint64_t e = lists.offsets[row]; e < lists.offsets[row + 1]; ++e) {
      if (static_cast<std::size_t>(end - out) < kMostLine) {
        output.write(text.data(), static_cast<std::size_t>(out - text.data()));
        out = text.data();
      }
      out = std::to_chars(out, end, row).ptr;
      *out++ = ',';
      out = std::to_chars(out, end, lists.ids[e]).ptr;
      if (!lists.shifts.empty()) {
        for (const int shift : lists.shifts[e]) {
          *out++ = ',';
          out = std::to_chars(out, end, shift).ptr;
        }
      }
      if (!lists.squared_distances.empty()) {
        *out++ = ',';
        out = std::to_chars(out, end, lists.squared_distances[e]).ptr;
      }
      *out++ = '\n';
    }
  }
  output.write(text.data(), static_cast<std::size_t>(out - text.data()));
}

template <class T>
std::span<const std::byte> bytes_of(const Buffer<T>& values) {
  return std::as_bytes(std::span<const T>(values.data(), values.size()));
}

template <int Dim, class Real>
void write_npz(Output& output, const Neighbours<Dim, Real>& lists) {
  NpzWriter npz(output);
  const std::uint64_t offsets[] = {lists.offsets.size()}, ids[] = {lists.ids.size()},
                      shifts[] = {lists.ids.size(), Dim};
  npz.add("offsets", "u8", offsets, bytes_of(lists.offsets));
  npz.add("ids", "u4", ids, bytes_of(lists.ids));
  if (!lists.shifts.empty()) npz.add("shifts", "i1", shifts, bytes_of(lists.shifts));
  if (!lists.squared_distances.empty())
    npz.add("squared_distances", sizeof(Real) == 4 ? "f4" : "f8", ids, bytes_of(lists.squared_distances));
  npz.finish();
}

}  // namespace

NeighbourFormat neighbour_format_of(std::string_view path) {
  if (path.ends_with(".csv")) return NeighbourFormat::csv;
  if (path.ends_with(".npz")) return NeighbourFormat::npz;
  throw file_error(path, "neighbours go to a file that ends in .csv or .npz");
}

template <int Dim, class Real>
void write_neighbours(Output& output, NeighbourFormat format, const Neighbours<Dim, Real>& lists) {
  if (format == NeighbourFormat::csv)
    write_csv(output, lists);
  else
    write_npz(output, lists);
}

template void write_neighbours<2, float>(Output&, NeighbourFormat, const Neighbours<2, float>&);
template void write_neighbours<3, float>(Output&, NeighbourFormat, const Neighbours<3, float>&);
template void write_neighbours<2, double>(Output&, NeighbourFormat, const Neighbours<2, double>&);
template void write_neighbours<3, double>(Output&, NeighbourFormat, const Neighbours<3, double>&);

}  // namespace winnow::io
