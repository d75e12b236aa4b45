#include "methods/tile_sweep/tile_solver.hpp"

#include <algorithm>
#include <cstring>

#include "methods/tile_sweep/sweep_columns.hpp"

namespace winnow::tile_sweep {
namespace {

constexpr std::size_t kChunk = TileChunks::kChunk;
constexpr int kMostDepth = 8;
constexpr std::size_t kRefinable = 48;     // boxes; fewer are always swept
constexpr std::size_t kLargeTile = 40000;  // boxes; more are cut again
constexpr std::size_t kSmallTile = 512;    // boxes, about, after that
constexpr double kCrowded = 256;           // boxes that share a cell with a box, on average
constexpr double kUneven = 5;              // times that of even cells

// The processor sees where a chunk leads only when it is some lines into it.
void prefetch_chunk(const QuantisedBox* chunk) {
  for (std::size_t line = 0; line < kChunk; line += 4) __builtin_prefetch(chunk + line);
}

}  // namespace

void TileStats::add(const TileStats& other) {
  tiles += other.tiles;
  refined += other.refined;
  boxes += other.boxes;
  copies += other.copies;
  cells += other.cells;
  tests += other.tests;
  depth = std::max(depth, other.depth);
}

// `whole`: cutting this one again is of no use.
template <int Dim>
void TileSolver<Dim>::solve(const TileBoxes& tile, int depth, bool whole, PairWriter& writer) {
  if (tile.size < 2) return;
  const bool refinable = !whole && depth < kMostDepth && tile.size > kRefinable;
  if (tile.size > kLargeTile && refinable) return refine(tile, depth, writer);

  const ColumnLayout layout = choose_layout(tile, Dim);
  find_copies(tile, layout);
  const std::size_t copies = tile.size + straddlers_;
  const double shared = count_cells();
  const double even = static_cast<double>(copies) / layout.cells() + 1;
  if (refinable && shared > kCrowded && shared > kUneven * even) return refine(tile, depth, writer);

  columns_.resize(copies);
  sort_copies(tile);
  gather_columns(layout, tile.chunks.data(), sources_.data(), columns_);
  stats_.tests += sweep_columns<Dim>(columns_, boxes_, writer);
  stats_.tiles += 1;
  stats_.boxes += tile.size;
  stats_.copies += copies;
  stats_.cells += layout.cells();
  stats_.depth = std::max(stats_.depth, depth);
}

// Cuts a tile into smaller ones, with scales of their own, from the floats.
template <int Dim>
void TileSolver<Dim>::refine(const TileBoxes& tile, int depth, PairWriter& writer) {
  stats_.refined += tile.size;
  while (parts_.size() <= static_cast<std::size_t>(depth)) parts_.push_back(std::make_unique<Part>());
  Part& part = *parts_[depth];
  const std::size_t n = tile.size;
  part.tags.resize_for_overwrite(n);
  part.boxes.resize_for_overwrite(n);
  std::size_t i = 0;
  for (std::size_t c = 0; c < tile.chunks.size(); ++c)
    for (std::size_t k = 0; k < tile.counts[c]; ++k) part.tags[i++] = tile.chunks[c][k].tag;
  constexpr std::size_t kAhead = 16;  // the boxes lie anywhere in memory
  for (i = 0; i < n; ++i) {
    if (i + kAhead < n) __builtin_prefetch(boxes_ + (part.tags[i + kAhead] & kIdMask));
    part.boxes[i] = boxes_[part.tags[i] & kIdMask];
  }

  part.sample.draw(part.boxes.data(), n, std::min<std::size_t>(n, std::clamp<std::size_t>(n / 16, 64, 4096)));
  const std::size_t tiles = std::clamp<std::size_t>(n / kSmallTile, 2, 254);
  if (choose_grid(part.sample, tiles, part.grid)) {
    part.chunks.resize(1);
    part.chunks[0].clear(part.grid.tiles());
    scatter_to_tiles<Dim>(part.boxes.data(), part.tags.data(), 0, n, part.grid, part.chunks[0]);
    part.tiles.assign(part.chunks, part.grid.tiles());
  } else {
    part.whole.resize_for_overwrite(n + kChunk);
    quantise<Dim>(part.boxes.data(), part.tags.data(), 0, n, whole_scale(part.sample), part.whole.data());
    part.tiles.assign_whole(part.whole.data(), n);
  }
  for (std::size_t t = 0; t < part.tiles.size(); ++t) {
    const TileBoxes piece = part.tiles[t];
    solve(piece, depth + 1, piece.size > n - n / 8, writer);
  }
}

// Step 1: the cell of each box, and a further copy for each further column it reaches into.
template <int Dim>
void TileSolver<Dim>::find_copies(const TileBoxes& tile, const ColumnLayout& layout) {
  places_.resize_for_overwrite(layout.cells());
  std::memset(places_.data(), 0, places_.size() * sizeof(places_[0]));
  cells_.resize_for_overwrite(tile.chunks.size() * kChunk);
  straddlers_ = 0;
  std::size_t wide = 0;
  std::uint32_t* const boxes_in = places_.data();
  for (std::size_t c = 0; c < tile.chunks.size(); ++c) {
    const std::size_t count = tile.counts[c];
    if (c + 1 < tile.chunks.size()) prefetch_chunk(tile.chunks[c + 1]);
    straddler_cells_.resize(straddlers_ + 3 * kChunk + 16);
    straddler_sources_.resize(straddlers_ + 3 * kChunk + 16);
    wide_.resize(wide + kChunk + 8);
    std::uint16_t* const cell = cells_.data() + c * kChunk;
    const CopyCounts added =
        tile_sweep::find_copies(layout, tile.chunks[c], count, static_cast<std::uint32_t>(c * kChunk),
                                {cell, straddler_cells_.data() + straddlers_,
                                 straddler_sources_.data() + straddlers_, wide_.data() + wide});
    for (std::size_t i = 0; i < count; ++i) ++boxes_in[cell[i]];
    straddlers_ += added.straddlers;
    wide += added.wide;
  }
  wide_.resize(wide);
  if (wide != 0) add_wide(tile, layout);
  const std::uint32_t* const cells = straddler_cells_.data();
  for (std::size_t s = 0; s < straddlers_; ++s) ++boxes_in[cells[s]];
}

template <int Dim>
void TileSolver<Dim>::add_wide(const TileBoxes& tile, const ColumnLayout& layout) {
  for (const std::uint32_t number : wide_) {
    const QuantisedBox& box = tile.chunks[number / kChunk][number % kChunk];
    const std::uint32_t cell = layout.cell(box);
    const std::uint32_t reach1 = layout.last(1, box) - layout.first(1, box);
    const std::uint32_t reach2 = layout.last(2, box) - layout.first(2, box);
    const std::size_t most = straddlers_ + (std::size_t{reach1} + 1) * (std::size_t{reach2} + 1);
    straddler_cells_.resize(most);
    straddler_sources_.resize(most);
    for (std::uint32_t b = 0; b <= reach2; ++b) {
      for (std::uint32_t a = 0; a <= reach1; ++a) {
        const std::uint32_t seen =
            (a != 0 ? later_axis_bit(layout.axis[1]) : 0) | (b != 0 ? later_axis_bit(layout.axis[2]) : 0);
        if (seen == 0) continue;
        straddler_cells_[straddlers_] = cell + a * layout.stride(1) + b * layout.stride(2);
        straddler_sources_[straddlers_++] = number | seen;
      }
    }
  }
}

// Step 2: counts become places. Returns with how many boxes a box shares its cell, itself included.
template <int Dim>
double TileSolver<Dim>::count_cells() {
  std::uint32_t place = 0;
  std::uint64_t squares = 0;
  for (std::uint32_t& cell : places_) {
    const std::uint32_t count = cell;
    cell = place;
    place += count;
    squares += std::uint64_t{count} * count;
  }
  return static_cast<double>(squares) / std::max<double>(place, 1);
}

// Step 3: sources and cells of the copies, sorted by cell.
template <int Dim>
void TileSolver<Dim>::sort_copies(const TileBoxes& tile) {
  constexpr std::size_t kReadPast = 8;
  sources_.resize_for_overwrite(columns_.size() + kReadPast);
  std::fill_n(sources_.end() - kReadPast, kReadPast, 0);
  std::uint32_t* const places = places_.data();
  std::uint32_t* const sources = sources_.data();
  std::int16_t* const sorted_cells = columns_.cell();
  const auto put = [=](std::uint32_t source, std::uint32_t cell) {
    const std::uint32_t place = places[cell]++;
    sources[place] = source;
    sorted_cells[place] = static_cast<std::int16_t>(static_cast<std::uint16_t>(cell ^ 0x8000));
  };
  for (std::size_t c = 0; c < tile.chunks.size(); ++c) {
    const std::uint16_t* const cell = cells_.data() + c * kChunk;
    const std::size_t count = tile.counts[c];
    for (std::size_t i = 0; i < count; ++i) put(static_cast<std::uint32_t>(c * kChunk + i), cell[i]);
  }
  const std::uint32_t* const straddler_sources = straddler_sources_.data();
  const std::uint32_t* const straddler_cells = straddler_cells_.data();
  for (std::size_t s = 0; s < straddlers_; ++s) put(straddler_sources[s], straddler_cells[s]);
}

template <int Dim>
std::size_t TileSolver<Dim>::memory_bytes() const {
  std::size_t sum = cells_.memory_bytes() + straddler_cells_.memory_bytes() +
                    straddler_sources_.memory_bytes() + wide_.memory_bytes() + places_.memory_bytes() +
                    sources_.memory_bytes() + columns_.memory_bytes();
  for (const auto& part : parts_) {
    sum += part->boxes.memory_bytes() + part->tags.memory_bytes() + part->whole.memory_bytes();
    for (const TileChunks& chunks : part->chunks) sum += chunks.memory_bytes();
  }
  return sum;
}

template class TileSolver<2>;
template class TileSolver<3>;

}  // namespace winnow::tile_sweep
