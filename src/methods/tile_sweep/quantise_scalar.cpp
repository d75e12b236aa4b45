// Scalar twins of the kernels that read float boxes.
#include "base/legal_box.hpp"
#include "methods/tile_sweep/quantise.hpp"
#include "methods/tile_sweep/scatter.hpp"

namespace winnow::tile_sweep {
namespace {

template <int Dim>
QuantisedBox quantised(const Box<Dim>& box, const Scale& scale, std::uint32_t tag) {
  QuantisedBox out{{0, 0, 0}, {0, 0, kMostSteps}, tag};
  for (int axis = 0; axis < Dim; ++axis) {
    out.lo[axis] = steps(box.lo[axis], scale.lo[axis], scale.per_unit[axis]);
    out.hi[axis] = steps(box.hi[axis], scale.lo[axis], scale.per_unit[axis]);
  }
  return out;
}

std::uint32_t part(const TileGrid& grid, int k, float x) {
  const int axis = grid.axis[k];
  return grid.part[k][steps(x, grid.index.lo[axis], grid.index.per_unit[axis], TileGrid::kTable - 1)];
}

}  // namespace

template <int Dim>
bool quantise_scalar(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                     const Scale& scale, QuantisedBox* out) {
  bool all_legal = true;
  for (std::size_t i = begin; i < end; ++i) {
    all_legal &= is_legal(boxes[i]);
    out[i - begin] = quantised(boxes[i], scale, tags == nullptr ? static_cast<std::uint32_t>(i) : tags[i]);
  }
  return all_legal;
}

template <int Dim>
bool scatter_to_tiles_scalar(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin,
                             std::size_t end, const TileGrid& grid, TileChunks& chunks) {
  bool all_legal = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Box<Dim>& box = boxes[i];
    all_legal &= is_legal(box);
    const std::uint32_t tag = tags == nullptr ? static_cast<std::uint32_t>(i) : tags[i];
    const std::uint32_t first[2] = {part(grid, 0, box.lo[grid.axis[0]]), part(grid, 1, box.lo[grid.axis[1]])};
    const std::uint32_t last[2] = {part(grid, 0, box.hi[grid.axis[0]]), part(grid, 1, box.hi[grid.axis[1]])};
    for (std::uint32_t row = first[0]; row <= last[0]; row += grid.size[1]) {
      for (std::uint32_t column = first[1]; column <= last[1]; ++column) {
        const std::uint32_t before = (row != first[0] ? later_axis_bit(grid.axis[0]) : 0) |
                                     (column != first[1] ? later_axis_bit(grid.axis[1]) : 0);
        chunks.push(row + column) = quantised(box, grid.scales[row + column], tag | before);
      }
    }
  }
  return all_legal;
}

#define WINNOW_INSTANTIATE(Dim)                                                                       \
  template bool quantise_scalar<Dim>(const Box<Dim>*, const std::uint32_t*, std::size_t, std::size_t, \
                                     const Scale&, QuantisedBox*);                                    \
  template bool scatter_to_tiles_scalar<Dim>(const Box<Dim>*, const std::uint32_t*, std::size_t,      \
                                             std::size_t, const TileGrid&, TileChunks&);
WINNOW_INSTANTIATE(2)
WINNOW_INSTANTIATE(3)
#undef WINNOW_INSTANTIATE

}  // namespace winnow::tile_sweep
