// Scalar twins of the gather kernels.
#include "methods/tile_sweep/gather.hpp"

namespace winnow::tile_sweep {
namespace {

std::int16_t less_half(std::uint32_t x) { return static_cast<std::int16_t>(static_cast<int>(x) - 32768); }

}  // namespace

CopyCounts find_copies_scalar(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                              std::uint32_t first, const CopyRun& out) {
  CopyCounts counts;
  const std::uint32_t seen1 = later_axis_bit(layout.axis[1]), seen2 = later_axis_bit(layout.axis[2]);
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
    columns.later_axes()[i] = static_cast<std::int16_t>((box.tag | sources[i]) >> kIdBits);
    columns.ids()[i] = box.tag & kIdMask;
  }
}

}  // namespace winnow::tile_sweep
