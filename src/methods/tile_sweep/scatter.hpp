// Boxes dealt out to the tiles of a grid, quantised to each tile's own scale.
#pragma once

#include <array>
#include <vector>

#include "methods/tile_sweep/quantise.hpp"
#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow {

// Rows and columns of tiles along two axes, each cut where a monotone table says. A box goes to every tile
// from that of its lower corner to that of its upper one.
struct TileGrid {
  static constexpr std::size_t kTable = 2048;

  std::array<int, 2> axis{0, 1};
  std::array<std::uint32_t, 2> size{1, 1};  // tiles along each axis
  Scale index{};                            // coordinate -> index into `part`
  std::array<std::array<std::uint16_t, kTable>, 2>
      part;                   // index -> the row's first tile, or the column; rising
  std::vector<Scale> scales;  // per tile

  std::size_t tiles() const { return std::size_t{size[0]} * size[1]; }
};

// One worker's share of the dealt boxes: chunks of a fixed size, each owned by a tile. Nothing has to be
// counted beforehand, and workers never meet.
class alignas(kCacheLine) TileChunks {
 public:
  static constexpr std::size_t kChunk = 128;  // boxes; 2 KiB

  void clear(std::size_t tiles) {
    cursor_.resize_for_overwrite(tiles);
    std::fill(cursor_.begin(), cursor_.end(), 0);
    owner_.clear();
    boxes_.clear();
  }

  // Where the tile's next box goes.
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

// Deals out boxes [begin, end); tags and result as in quantise.
template <int Dim>
bool scatter_to_tiles(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                      const TileGrid& grid, TileChunks& chunks);
template <int Dim>
bool scatter_to_tiles_scalar(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin,
                             std::size_t end, const TileGrid& grid, TileChunks& chunks);

}  // namespace winnow
