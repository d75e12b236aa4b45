#include "methods/tile_sweep/tile_grid.hpp"

#include <algorithm>
#include <cmath>

namespace winnow::tile_sweep {
namespace {

// Keeps Scale's invariant whatever the range: finite, positive, and no denormals.
float per_unit(double steps, double range) {
  return static_cast<float>(std::clamp(steps / std::max(range, 1e-300), 1e-37, 1e30));
}
float finite(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(x, -most, most));
}

struct Range {
  double lo, hi;
};

// The scale of a tile in which so many centres were seen in these ranges. On the axes that the grid cuts,
// boxes past the cut are clamped, which harms nothing; on the others there is room for what was not seen: two
// boxes past the end of a scale cannot be told apart by steps.
template <int Dim>
Scale scale_for(const std::array<Range, Dim>& ranges, const std::array<Spread, Dim>& axes,
                const std::array<bool, Dim>& cut, std::size_t seen) {
  Scale scale{};
  for (int axis = 0; axis < Dim; ++axis) {
    const double range = ranges[axis].hi - ranges[axis].lo;
    const double unseen = range * (1.0 / 16 + 4 / static_cast<double>(seen + 4));
    const double margin = cut[axis] ? range / 512 : unseen + axes[axis].extent;
    scale.lo[axis] = finite(ranges[axis].lo - margin);
    scale.per_unit[axis] = per_unit(kMostSteps, range + 2 * margin);
  }
  return scale;
}

// One axis of the grid.
struct Cuts {
  std::uint32_t size = 1;
  std::vector<double> edges;  // size + 1 of them
};

// Fills `part` with about `wanted` intervals of as many sampled centres each, none thinner than two boxes.
template <int Dim>
Cuts cut_axis(const Sample<Dim>& sample, int axis, std::size_t wanted, Scale& index,
              std::array<std::uint16_t, TileGrid::kTable>& part) {
  constexpr std::size_t kTable = TileGrid::kTable;
  const Spread& spread = sample.axes[axis];
  index.lo[axis] = finite(spread.lo);
  index.per_unit[axis] = per_unit(kTable - 1, spread.range());
  std::array<std::uint32_t, kTable> boxes{};
  for (const auto& centre : sample.centres)
    ++boxes[steps(centre[axis], index.lo[axis], index.per_unit[axis], kTable - 1)];

  const double entries_per_box = spread.extent * static_cast<double>(index.per_unit[axis]);
  const auto thinnest = static_cast<std::size_t>(std::clamp(2 * entries_per_box, 1.0, 1.0 * kTable));
  const std::size_t share = std::max<std::size_t>(1, sample.centres.size() / wanted);
  Cuts cuts{1, {spread.lo}};
  std::size_t start = 0, seen = 0;
  for (std::size_t k = 0; k < kTable; ++k) {
    if (k - start >= thinnest && cuts.size < wanted && seen + boxes[k] / 2 >= share) {
      cuts.edges.push_back(spread.lo + (static_cast<double>(k) - 0.5) / index.per_unit[axis]);
      ++cuts.size;
      start = k;
      seen = 0;
    }
    part[k] = static_cast<std::uint16_t>(cuts.size - 1);
    seen += boxes[k];
  }
  cuts.edges.push_back(spread.hi);
  return cuts;
}

// The tile of each sampled centre.
template <int Dim>
std::vector<std::uint32_t> tiles_of_sample(const Sample<Dim>& sample, const TileGrid& grid) {
  const auto part = [&](int k, const std::array<float, Dim>& centre) {
    const int axis = grid.axis[k];
    return std::uint32_t{grid.part[k][steps(centre[axis], grid.index.lo[axis], grid.index.per_unit[axis],
                                            TileGrid::kTable - 1)]};
  };
  std::vector<std::uint32_t> tiles;
  tiles.reserve(sample.centres.size());
  for (const auto& centre : sample.centres) tiles.push_back(part(0, centre) + part(1, centre));
  return tiles;
}

// How many times fuller than even a box's tile is, on average.
double unevenness(const std::vector<std::uint32_t>& tile_of, std::size_t tiles) {
  std::vector<double> count(tiles, 0);
  for (const std::uint32_t tile : tile_of) ++count[tile];
  double squares = 0;
  for (const double n : count) squares += n * n;
  const double n = static_cast<double>(tile_of.size());
  return squares * static_cast<double>(tiles) / (n * n);
}

// Each tile's own scale: between its cuts, and around its sampled centres on the other axes.
template <int Dim>
void set_scales(const Sample<Dim>& sample, const std::vector<std::uint32_t>& tile_of,
                const std::array<Cuts, 2>& cuts, TileGrid& grid) {
  constexpr std::uint32_t kEnough = 6;  // samples that say where a tile's boxes are
  std::vector<std::array<Range, Dim>> ranges(grid.tiles());
  std::vector<std::uint32_t> seen(grid.tiles(), 0);
  for (auto& range : ranges) range.fill({1e300, -1e300});
  for (std::size_t i = 0; i < tile_of.size(); ++i) {
    const std::uint32_t tile = tile_of[i];
    ++seen[tile];
    for (int axis = 0; axis < Dim; ++axis) {
      const double x = sample.centres[i][axis];
      ranges[tile][axis].lo = std::min(ranges[tile][axis].lo, x);
      ranges[tile][axis].hi = std::max(ranges[tile][axis].hi, x);
    }
  }
  grid.scales.resize(grid.tiles());
  for (std::size_t tile = 0; tile < grid.tiles(); ++tile) {
    std::array<bool, Dim> cut{};
    const bool enough = seen[tile] >= kEnough;
    if (!enough)
      for (int axis = 0; axis < Dim; ++axis)
        ranges[tile][axis] = {sample.axes[axis].lo, sample.axes[axis].hi};
    const std::size_t at[2] = {tile / grid.size[1], tile % grid.size[1]};
    for (int k = 0; k < 2; ++k) {
      if (grid.size[k] == 1) continue;
      ranges[tile][grid.axis[k]] = {cuts[k].edges[at[k]], cuts[k].edges[at[k] + 1]};
      cut[grid.axis[k]] = true;
    }
    grid.scales[tile] = scale_for<Dim>(ranges[tile], sample.axes, cut, enough ? seen[tile] : tile_of.size());
  }
}

}  // namespace

template <int Dim>
Scale whole_scale(const Sample<Dim>& sample) {
  std::array<Range, Dim> ranges;
  for (int axis = 0; axis < Dim; ++axis) ranges[axis] = {sample.axes[axis].lo, sample.axes[axis].hi};
  return scale_for<Dim>(ranges, sample.axes, {}, sample.centres.size());
}

template <int Dim>
bool choose_grid(const Sample<Dim>& sample, std::size_t tiles, TileGrid& grid) {
  std::array<int, Dim> order;
  std::array<double, Dim> slots;
  for (int axis = 0; axis < Dim; ++axis) {
    order[axis] = axis;
    slots[axis] = sample.slots(axis);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) { return slots[a] > slots[b]; });
  grid.axis = {order[0], order[1]};
  const Spread &best = sample.axes[order[0]], &second = sample.axes[order[1]];

  const auto cut = [&](double along, double across) {
    const auto most = [](double wanted, const Spread& axis) {
      return static_cast<std::size_t>(std::clamp(wanted, 1.0, std::max(1.0, axis.boxes_side_by_side() / 2)));
    };
    grid.index = {};
    std::array<Cuts, 2> cuts{cut_axis(sample, grid.axis[0], most(along, best), grid.index, grid.part[0]),
                             cut_axis(sample, grid.axis[1], most(across, second), grid.index, grid.part[1])};
    grid.size = {cuts[0].size, cuts[1].size};
    for (std::uint16_t& row : grid.part[0]) row = static_cast<std::uint16_t>(row * grid.size[1]);
    return cuts;
  };

  // As square as the boxes are spread. Where they lie along a diagonal most tiles would be empty: then slabs.
  constexpr double kMostUneven = 3;
  const auto wanted = static_cast<double>(tiles);
  const double across = std::floor(std::sqrt(wanted * slots[order[1]] / std::max(slots[order[0]], 1e-9)));
  std::array<Cuts, 2> cuts = cut(std::round(wanted / std::max(across, 1.0)), across);
  std::vector<std::uint32_t> tile_of = tiles_of_sample(sample, grid);
  if (grid.size[1] > 1 && unevenness(tile_of, grid.tiles()) > kMostUneven) {
    cuts = cut(wanted, 1);
    tile_of = tiles_of_sample(sample, grid);
  }
  if (grid.tiles() < 2) return false;
  set_scales(sample, tile_of, cuts, grid);
  return true;
}

template <int Dim>
bool too_coarse(const Sample<Dim>& sample) {
  return std::any_of(sample.axes.begin(), sample.axes.end(),
                     [](const Spread& axis) { return axis.extent > 0 && axis.range() > 8192 * axis.extent; });
}

#define WINNOW_INSTANTIATE(Dim)                                               \
  template Scale whole_scale<Dim>(const Sample<Dim>&);                        \
  template bool choose_grid<Dim>(const Sample<Dim>&, std::size_t, TileGrid&); \
  template bool too_coarse<Dim>(const Sample<Dim>&);
WINNOW_INSTANTIATE(2)
WINNOW_INSTANTIATE(3)
#undef WINNOW_INSTANTIATE

}  // namespace winnow::tile_sweep
