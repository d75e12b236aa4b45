#include "methods/tile_sweep/column_layout.hpp"

#include <algorithm>
#include <cmath>

#include "methods/tile_sweep/sample.hpp"

namespace winnow::tile_sweep {
namespace {

constexpr std::size_t kFewBoxes = 64;  // one bin of one column: all are tested against all
constexpr std::size_t kMostSamples = 256;

// One axis of the tile, in steps.
struct AxisSample {
  double origin = 0, span = kMostSteps;
  double extent = 1;    // mean, never below one step
  double slots = 1;     // boxes side by side in what the centres fill
  double crowding = 1;  // how much denser than even the centres are
};

struct TileSample {
  std::size_t count = 0;
  std::array<std::array<float, kMostSamples>, 3> centre, extent;
};

TileSample draw(const TileBoxes& tile) {
  TileSample sample;
  sample.count = std::min(tile.size, std::clamp<std::size_t>(tile.size / 32, 32, kMostSamples));
  Random random;
  const std::size_t chunks = tile.chunks.size();
  std::array<const QuantisedBox*, kMostSamples> boxes;  // all on their way before the first is looked at
  for (std::size_t i = 0; i < sample.count; ++i) {
    const std::size_t chunk = random.place(i, sample.count, chunks);
    boxes[i] = tile.chunks[chunk] + (random.next() * tile.counts[chunk] >> 16);
    __builtin_prefetch(boxes[i]);
  }
  for (std::size_t i = 0; i < sample.count; ++i) {
    const QuantisedBox& box = *boxes[i];
    for (int axis = 0; axis < 3; ++axis) {
      const float lo = box.lo[axis], hi = box.hi[axis];
      sample.centre[axis][i] = 0.5f * (lo + hi);
      sample.extent[axis][i] = hi - lo;
    }
  }
  return sample;
}

// Not inlined, so that three axes share the code: with few boxes in a tile it is mostly not in the cache.
[[gnu::noinline]] AxisSample look(const TileSample& sample, int axis, std::size_t boxes) {
  const auto& centre = sample.centre[axis];
  Extremes<float> extremes;
  double sum = 0;
  for (std::size_t i = 0; i < sample.count; ++i) {
    extremes.add(centre[i]);
    sum += sample.extent[axis][i];
  }
  AxisSample out;
  out.extent = std::max(1.0, sum / static_cast<double>(sample.count));
  const double range = extremes.hi() - extremes.lo();
  const double margin = range / 16 + out.extent / 2 + 1;
  out.origin = std::floor(std::max(0.0, extremes.lo() - margin));
  out.span = std::floor(std::min<double>(kMostSteps, extremes.hi() + margin)) - out.origin;
  out.slots = out.span / out.extent;
  if (boxes <= 256) return out;

  constexpr std::size_t kMost = 128;
  const auto intervals = static_cast<std::size_t>(std::min<double>(kMost - 1, out.slots)) + 1;
  const double per_step = static_cast<double>(intervals) / (out.span + 1);
  std::array<std::uint32_t, kMost> seen{};
  for (std::size_t i = 0; i < sample.count; ++i) {
    const double at = (centre[i] - out.origin) * per_step;
    ++seen[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(intervals - 1)))];
  }
  double shared = 1;
  for (std::size_t k = 0; k < intervals; ++k) shared += seen[k] * (seen[k] - 1.0 * (seen[k] > 0));
  const double n = static_cast<double>(sample.count);
  const double filled = n * (n - 1) / shared;
  out.crowding = std::max(1.0, 0.9 * static_cast<double>(intervals) / filled);
  if (out.slots < kMost || filled < kMost / 2) out.slots = std::min(out.slots, filled);
  return out;
}

// What columns of this many by this many cost, in instructions per box of the tile; constants from callgrind.
struct Cost {
  static constexpr double kPerBox = 25, kPerCopy = 40, kPerTest = 1.9, kPerCell = 5;

  double boxes, crowding;
  AxisSample along, cross1, cross2;
  double both;  // mean of the product of the cross extents

  double copies(double parts1, double parts2) const {
    const double width1 = (cross1.span + 1) / parts1, width2 = (cross2.span + 1) / parts2;
    return 1 + (parts1 > 1 ? cross1.extent / width1 : 0) + (parts2 > 1 ? cross2.extent / width2 : 0) +
           (parts1 > 1 && parts2 > 1 ? both / (width1 * width2) : 0);
  }
  double bins(double parts1, double parts2) const {
    const double most = std::min(ColumnLayout::kMostCells / (parts1 * parts2), (along.span + 1) / 2);
    const double wanted = std::min((along.span + 1) / (0.25 * along.extent),
                                   std::max(4.0, std::min(crowding, 3.0) * boxes / (parts1 * parts2)));
    return std::max(1.0, std::floor(std::min(most, wanted)));
  }
  double operator()(double parts1, double parts2) const {
    const double n = copies(parts1, parts2), bin_count = bins(parts1, parts2);
    const double reach = std::min(1.0, along.extent / (along.span + 1) + 1 / bin_count);
    const double tests = n * boxes / (parts1 * parts2) * reach * crowding;
    return kPerBox + n * (kPerCopy + kPerTest * tests) + kPerCell * parts1 * parts2 * bin_count / boxes;
  }
};

}  // namespace

ColumnLayout choose_layout(const TileBoxes& tile, int dimensions) {
  ColumnLayout layout;
  if (tile.size <= kFewBoxes) return layout;
  const TileSample sample = draw(tile);
  std::array<AxisSample, 3> axes;
  for (int axis = 0; axis < dimensions; ++axis) axes[axis] = look(sample, axis, tile.size);

  // The sweep goes along the axis that parts the boxes best.
  for (int axis = 1; axis < dimensions; ++axis)
    if (axes[axis].slots > 1.05 * axes[layout.axis[0]].slots)
      layout.axis = {axis, axis == 1 ? 0 : (axis + 1) % 3, axis == 1 ? 2 : (axis + 2) % 3};
  const int along = layout.axis[0], cross1 = layout.axis[1], cross2 = layout.axis[2];
  for (int k = 0; k < dimensions; ++k) {
    layout.origin[k] = static_cast<std::uint16_t>(axes[layout.axis[k]].origin);
    layout.span[k] = static_cast<std::uint16_t>(axes[layout.axis[k]].span);
  }

  double both = 0;
  for (std::size_t i = 0; i < sample.count; ++i)
    both += double{sample.extent[cross1][i]} * sample.extent[cross2][i];
  double crowding = 1;
  for (const AxisSample& axis : axes) crowding *= axis.crowding;
  const Cost cost{static_cast<double>(tile.size),
                  std::min(crowding, 4.0),
                  axes[along],
                  axes[cross1],
                  axes[cross2],
                  both / static_cast<double>(sample.count)};

  // Columns some multiple of the boxes wide; the best multiple is taken.
  double least = std::numeric_limits<double>::max();
  std::array<double, 2> best{1, 1};
  for (double width = 0.6; width < 64; width *= 1.3) {
    const double most = std::sqrt(4.0 * static_cast<double>(tile.size));
    const auto parts = [&](const AxisSample& axis) {
      return std::clamp(std::round((axis.span + 1) / (width * axis.extent)), 1.0, most);
    };
    const double parts1 = parts(axes[cross1]), parts2 = dimensions == 3 ? parts(axes[cross2]) : 1;
    if (parts1 * parts2 > ColumnLayout::kMostCells / 4) continue;
    const double c = cost(parts1, parts2);
    if (c < least) {
      least = c;
      best = {parts1, parts2};
    }
    if (parts1 * parts2 <= 1) break;
  }
  layout.cut(0, static_cast<std::uint32_t>(cost.bins(best[0], best[1])));
  layout.cut(1, static_cast<std::uint32_t>(best[0]));
  layout.cut(2, static_cast<std::uint32_t>(best[1]));
  return layout;
}

}  // namespace winnow::tile_sweep
