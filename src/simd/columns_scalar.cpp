// Scalar twins of the kernels on columns.
#include "simd/columns.hpp"

namespace winnow {
namespace {

std::uint16_t clamped(const ColumnLayout& layout, int k, std::uint16_t x) {
  const int past = std::max(0, x - layout.origin[k]);
  return static_cast<std::uint16_t>(std::min<int>(past, layout.span[k]));
}

std::uint16_t part(const ColumnLayout& layout, int k, std::uint16_t clamped) {
  return static_cast<std::uint16_t>(std::uint32_t{clamped} * layout.parts_per_step[k] >> 16);
}

std::int16_t less_half(std::uint32_t x) { return static_cast<std::int16_t>(static_cast<int>(x) - 32768); }

}  // namespace

void find_cells_scalar(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                       const Cells& out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t first[3], last[3];
    for (int k = 0; k < 3; ++k) {
      first[k] = part(layout, k, clamped(layout, k, boxes[i].lo[layout.axis[k]]));
      last[k] = part(layout, k, clamped(layout, k, boxes[i].hi[layout.axis[k]]));
    }
    out.cell[i] =
        static_cast<std::uint16_t>(first[0] + first[1] * layout.stride(1) + first[2] * layout.stride(2));
    out.reach1[i] = static_cast<std::uint16_t>(last[1] - first[1]);
    out.reach2[i] = static_cast<std::uint16_t>(last[2] - first[2]);
  }
}

void gather_columns_scalar(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                           const std::uint32_t* sources, Columns& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::uint32_t source = sources[i] & kIdMask;
    const QuantisedBox& box = chunks[source / 128][source % 128];
    for (int k = 0; k < 3; ++k) {
      const std::uint16_t lo = clamped(layout, k, box.lo[layout.axis[k]]);
      const std::uint16_t hi = clamped(layout, k, box.hi[layout.axis[k]]);
      columns.face(k)[i] = less_half(lo);
      columns.face(3 + k)[i] = static_cast<std::int16_t>(~less_half(hi));
      if (k == 0)
        columns.cell_end()[i] =
            static_cast<std::int16_t>(columns.cell()[i] + part(layout, 0, hi) - part(layout, 0, lo) + 1);
    }
    columns.tags()[i] = box.tag | (sources[i] & ~kIdMask);
  }
}

template <int Dim>
std::uint64_t sweep_columns_scalar(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer) {
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; columns.cell()[j] < columns.cell_end()[i]; ++j) {
      ++tests;
      bool apart = false;
      for (int k = 0; k < Dim; ++k) {
        apart |= ~columns.face(3 + k)[i] < columns.face(k)[j];
        apart |= ~columns.face(k)[i] < columns.face(3 + k)[j];
      }
      const std::uint32_t a = columns.tags()[i], b = columns.tags()[j];
      if (apart || (a & b & ~kIdMask) != 0) continue;
      const Pair pair = ordered_pair(a & kIdMask, b & kIdMask);
      if (overlaps(boxes[pair.a], boxes[pair.b])) writer.write(pair);
    }
  }
  return tests;
}

template std::uint64_t sweep_columns_scalar<2>(const Columns&, const Box<2>*, PairWriter&);
template std::uint64_t sweep_columns_scalar<3>(const Columns&, const Box<3>*, PairWriter&);

void Columns::resize(std::size_t size) {
  const std::size_t stride = (size + kSlack + 31) / 32 * 32;
  values_.resize_for_overwrite(stride * 8);
  tags_.resize_for_overwrite(stride);
  size_ = size;
  stride_ = stride;
}

void Columns::close() {
  std::fill_n(cell() + size_, kSlack, std::int16_t{32767});
  std::fill_n(cell_end() + size_, kSlack, std::int16_t{-32768});
}

}  // namespace winnow
