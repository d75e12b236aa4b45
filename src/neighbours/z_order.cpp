#include <algorithm>
#include <cmath>

#include "algo/radix_sort.hpp"
#include "neighbours/cell_grid.hpp"
#include "winnow/neighbours.hpp"

namespace winnow {
namespace {

// Bits of a cell coordinate, `Dim` places apart.
template <int Dim>
std::uint64_t spread(std::uint32_t value) {
  std::uint64_t bits = 0;
  for (int bit = 0; bit < 64 / Dim && value >> bit != 0; ++bit)
    bits |= static_cast<std::uint64_t>(value >> bit & 1) << (bit * Dim);
  return bits;
}

}  // namespace

template <int Dim, class Real>
std::vector<std::uint32_t> z_order(PointsView<Dim, Real> points, Real cell, Executor& executor) {
  if (!(cell > 0)) throw Error("cell", "cell: must be positive, got " + std::to_string(cell));
  const auto bounds = finite_bounds(points, executor);
  // Cells that can't be numbered are made larger: the order is then coarser, and as good as it can be.
  double size = static_cast<double>(cell);
  auto grid = CellGrid<Dim, Real>::make(bounds, size);
  while (!grid) grid = CellGrid<Dim, Real>::make(bounds, size *= 2);
  Buffer<KeyedId<std::uint64_t>> records(points.size());
  parallel_for(executor, points.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t key = 0;
      for (int axis = 0; axis < Dim; ++axis)
        key |= spread<Dim>(static_cast<std::uint32_t>(grid->cell(axis, points.at(axis, i)))) << axis;
      records[i] = {key, static_cast<std::uint32_t>(i)};
    }
  });
  RadixScratch<KeyedId<std::uint64_t>> scratch;
  radix_sort(records, scratch, executor);
  std::vector<std::uint32_t> order(points.size());
  std::ranges::transform(records, order.begin(), [](const auto& record) { return record.id; });
  return order;
}

template std::vector<std::uint32_t> z_order<2, float>(PointsView<2, float>, float, Executor&);
template std::vector<std::uint32_t> z_order<3, float>(PointsView<3, float>, float, Executor&);
template std::vector<std::uint32_t> z_order<2, double>(PointsView<2, double>, double, Executor&);
template std::vector<std::uint32_t> z_order<3, double>(PointsView<3, double>, double, Executor&);

}  // namespace winnow
