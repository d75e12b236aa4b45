// Scalar twins of the kernels on columns.
#include "methods/tile_sweep/columns.hpp"

namespace winnow {
namespace {

std::int16_t less_half(std::uint32_t x) { return static_cast<std::int16_t>(static_cast<int>(x) - 32768); }

}  // namespace

CopyCounts find_copies_scalar(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                              std::uint32_t first, const CopyRun& out) {
  CopyCounts counts;
  const std::uint32_t seen1 = seen_before(layout.axis[1]), seen2 = seen_before(layout.axis[2]);
  for (std::size_t i = 0; i < count; ++i) {
    const QuantisedBox& box = boxes[i];
    const std::uint32_t number = first + static_cast<std::uint32_t>(i), cell = layout.cell(box);
    const std::uint32_t reach1 = layout.last(1, box) - layout.first(1, box);
    const std::uint32_t reach2 = layout.last(2, box) - layout.first(2, box);
    const auto add = [&](std::uint32_t straddler_cell, std::uint32_t source) {
      out.straddler_cells[counts.straddlers] = straddler_cell;
      out.straddler_sources[counts.straddlers++] = source;
    };
    out.cell[i] = static_cast<std::uint16_t>(cell);
    if (reach1 > 1 || reach2 > 1) {
      out.wide[counts.wide++] = number;
      continue;
    }
    if (reach1 == 1) add(cell + layout.stride(1), number | seen1);
    if (reach2 == 1) add(cell + layout.stride(2), number | seen2);
    if (reach1 == 1 && reach2 == 1) add(cell + layout.stride(1) + layout.stride(2), number | seen1 | seen2);
  }
  return counts;
}

void gather_columns_scalar(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                           const std::uint32_t* sources, Columns& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::uint32_t source = sources[i] & kIdMask;
    const QuantisedBox& box = chunks[source / 128][source % 128];
    for (int k = 0; k < 3; ++k) {
      columns.face(k)[i] = less_half(box.lo[layout.axis[k]]);
      columns.face(3 + k)[i] = static_cast<std::int16_t>(~less_half(box.hi[layout.axis[k]]));
    }
    columns.last_cell()[i] =
        static_cast<std::int16_t>(columns.cell()[i] + layout.last(0, box) - layout.first(0, box));
    columns.seen()[i] = static_cast<std::int16_t>((box.tag | sources[i]) >> kIdBits);
    columns.ids()[i] = box.tag & kIdMask;
  }
}

template <int Dim>
std::uint64_t sweep_columns_scalar(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer) {
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; columns.cell()[j] <= columns.last_cell()[i]; ++j) {
      ++tests;
      bool apart = false;
      for (int k = 0; k < Dim; ++k) {
        apart |= ~columns.face(3 + k)[i] < columns.face(k)[j];
        apart |= ~columns.face(k)[i] < columns.face(3 + k)[j];
      }
      if (apart || (columns.seen()[i] & columns.seen()[j]) != 0) continue;
      const Pair pair = ordered_pair(columns.ids()[i], columns.ids()[j]);
      if (overlaps(boxes[pair.a], boxes[pair.b])) writer.write(pair);
    }
  }
  return tests;
}

template std::uint64_t sweep_columns_scalar<2>(const Columns&, const Box<2>*, PairWriter&);
template std::uint64_t sweep_columns_scalar<3>(const Columns&, const Box<3>*, PairWriter&);

void Columns::resize(std::size_t size) {
  // Arrays as far apart as a multiple of a page would share a few lines of the first-level cache: they are a
  // ninth of a page off.
  constexpr std::size_t kPage = 4096 / sizeof(std::int16_t), kOff = 448 / sizeof(std::int16_t);
  std::size_t stride = (size + kSlack + 31) / 32 * 32;
  if (stride > kPage) stride = (stride - kOff + kPage - 1) / kPage * kPage + kOff;
  values_.resize_for_overwrite(stride * kArrays);
  ids_.resize_for_overwrite(stride);
  size_ = size;
  stride_ = stride;
}

void Columns::close() {
  std::fill_n(cell() + size_, kSlack, std::int16_t{32767});
  std::fill_n(last_cell() + size_, kSlack, std::int16_t{-32768});
}

}  // namespace winnow
