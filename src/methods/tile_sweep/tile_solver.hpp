// Finds the pairs of one tile: columns, counting sort, sweep; a tile that columns do not fit is cut again.
#pragma once

#include <memory>
#include <vector>

#include "methods/tile_sweep/column_layout.hpp"
#include "methods/tile_sweep/tile_grid.hpp"

namespace winnow::tile_sweep {

// Chunks sorted by tile.
class TileList {
 public:
  void assign(std::span<const TileChunks> workers, std::size_t tiles);
  void assign_whole(const QuantisedBox* boxes, std::size_t size);
  std::size_t size() const { return first_chunk_.size() - 1; }
  TileBoxes operator[](std::size_t tile) const;

 private:
  std::vector<const QuantisedBox*> chunks_;
  std::vector<std::uint16_t> counts_;
  std::vector<std::size_t> first_chunk_{0};  // per tile, and one more
  std::vector<std::size_t> boxes_;           // per tile
};

// What was done, summed over tiles.
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

// One worker's.
template <int Dim>
class alignas(kCacheLine) TileSolver {
 public:
  // Exact boxes of all ids, for comparisons that steps leave open.
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
