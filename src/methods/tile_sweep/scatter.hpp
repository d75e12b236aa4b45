// Step 2b: scatters the boxes to the tiles of a grid, quantised to each tile's own scale.
#pragma once

#include <span>
#include <vector>

#include "methods/tile_sweep/tile_grid.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow::tile_sweep {

// One worker's share of the scattered boxes: chunks of a fixed size, each owned by one tile. Nothing is
// counted in advance, and workers share no data.
class alignas(kCacheLine) TileChunks {
 public:
  static constexpr std::size_t kChunk = 128;  // boxes; 2 KiB

  void clear(std::size_t tiles) {
    cursor_.resize_for_overwrite(tiles);
    std::fill(cursor_.begin(), cursor_.end(), 0);
    owner_.clear();
    boxes_.clear();
  }

  // The place of the tile's next box.
  QuantisedBox& push(std::size_t tile) {
    std::uint32_t& cursor = cursor_[tile];
    if (chunk_is_full(cursor)) cursor = new_chunk(tile);
    return boxes_[cursor++];
  }

  // For kernels that keep the pointers in registers. new_chunk moves the boxes, never the cursors.
  std::uint32_t* cursors() { return cursor_.data(); }
  QuantisedBox* boxes() { return boxes_.data(); }
  static bool chunk_is_full(std::uint32_t cursor) { return cursor % kChunk == 0; }
  std::uint32_t new_chunk(std::size_t tile) {
    const std::size_t first = boxes_.size();
    boxes_.resize(first + kChunk);
    owner_.push_back(static_cast<std::uint32_t>(tile));
    return static_cast<std::uint32_t>(first);
  }

  std::size_t chunks() const { return owner_.size(); }
  std::size_t owner(std::size_t chunk) const { return owner_[chunk]; }
  const QuantisedBox* boxes(std::size_t chunk) const { return boxes_.data() + chunk * kChunk; }
  // All chunks of a tile are full but the last one.
  std::size_t count(std::size_t chunk) const {
    const std::uint32_t cursor = cursor_[owner_[chunk]];
    return (cursor - 1) / kChunk == chunk ? cursor - chunk * kChunk : kChunk;
  }
  std::size_t memory_bytes() const {
    return boxes_.memory_bytes() + owner_.memory_bytes() + cursor_.memory_bytes();
  }

 private:
  Buffer<std::uint32_t> cursor_;  // per tile: the place after its last box
  Buffer<std::uint32_t> owner_;   // per chunk
  Buffer<QuantisedBox> boxes_;
};

// Scatters boxes [begin, end). Tags and result as in quantise().
template <int Dim>
bool scatter_to_tiles(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                      const TileGrid& grid, TileChunks& chunks);
template <int Dim>
bool scatter_to_tiles_scalar(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin,
                             std::size_t end, const TileGrid& grid, TileChunks& chunks);

// The boxes of one tile, in chunks of 128. The last chunk of each worker is partly filled.
struct TileBoxes {
  std::span<const QuantisedBox* const> chunks;
  std::span<const std::uint16_t> counts;  // per chunk
  std::size_t size = 0;                   // sum of the counts
};

// The chunks of all workers, sorted by tile.
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

}  // namespace winnow::tile_sweep
