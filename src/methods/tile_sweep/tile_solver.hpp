// Steps 3 and 4 for one tile: columns, counting sort, gather, sweep. A tile too crowded for its columns is
// cut again.
#pragma once

#include <memory>
#include <vector>

#include "methods/tile_sweep/gather.hpp"
#include "winnow/sink.hpp"

namespace winnow::tile_sweep {

// Work done, summed over tiles.
struct TileStats {
  std::uint64_t tiles = 0, refined = 0, boxes = 0, copies = 0, cells = 0, tests = 0;
  int depth = 0;

  void add(const TileStats& other);
};

// Samples, tiles and buffers of one level of cutting.
template <int Dim>
struct Level {
  Sample<Dim> sample;
  TileGrid grid;
  std::vector<TileChunks> chunks;  // per worker
  Buffer<QuantisedBox> whole;      // the boxes when there is one tile
  TileList tiles;
};

// One per worker.
template <int Dim>
class alignas(kCacheLine) TileSolver {
 public:
  // `boxes`: the exact boxes by id, for comparisons that quantised bounds leave open.
  void start(const Box<Dim>* boxes) {
    boxes_ = boxes;
    stats_ = {};
  }
  void solve(const TileBoxes& tile, PairWriter& writer) { solve(tile, 0, false, writer); }

  const TileStats& stats() const { return stats_; }
  std::size_t memory_bytes() const;

 private:
  // A level below the first, for the boxes of one tile.
  struct Part : Level<Dim> {
    Buffer<Box<Dim>> boxes;
    Buffer<std::uint32_t> tags;
  };

  void solve(const TileBoxes& tile, int depth, bool whole, PairWriter& writer);
  void refine(const TileBoxes& tile, int depth, PairWriter& writer);
  void find_copies(const TileBoxes& tile, const ColumnLayout& layout);
  void add_wide(const TileBoxes& tile, const ColumnLayout& layout);
  double count_cells();
  void sort_copies(const TileBoxes& tile);

  const Box<Dim>* boxes_ = nullptr;
  TileStats stats_;
  std::vector<std::unique_ptr<Part>> parts_;  // by depth

  Buffer<std::uint16_t> cells_;  // per box: of its lower corner
  // Further copies.
  Buffer<std::uint32_t> straddler_cells_, straddler_sources_;
  std::size_t straddlers_ = 0;
  Buffer<std::uint32_t> wide_;     // boxes that reach over more than two columns along an axis
  Buffer<std::uint32_t> places_;   // per cell: boxes, then where the next one goes
  Buffer<std::uint32_t> sources_;  // per copy, sorted
  Columns columns_;
};

}  // namespace winnow::tile_sweep
