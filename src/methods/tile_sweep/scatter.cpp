#include "methods/tile_sweep/scatter.hpp"

#include <algorithm>

namespace winnow::tile_sweep {
namespace {

constexpr std::size_t kChunk = TileChunks::kChunk;

}  // namespace

void TileList::assign(std::span<const TileChunks> workers, std::size_t tiles) {
  first_chunk_.assign(tiles + 1, 0);
  boxes_.assign(tiles, 0);
  for (const TileChunks& chunks : workers) {
    for (std::size_t c = 0; c < chunks.chunks(); ++c) {
      ++first_chunk_[chunks.owner(c) + 1];
      boxes_[chunks.owner(c)] += chunks.count(c);
    }
  }
  for (std::size_t t = 0; t < tiles; ++t) first_chunk_[t + 1] += first_chunk_[t];
  chunks_.resize(first_chunk_[tiles]);
  counts_.resize(first_chunk_[tiles]);
  std::vector<std::size_t> next(first_chunk_.begin(), first_chunk_.end() - 1);
  for (const TileChunks& chunks : workers) {
    for (std::size_t c = 0; c < chunks.chunks(); ++c) {
      const std::size_t at = next[chunks.owner(c)]++;
      chunks_[at] = chunks.boxes(c);
      counts_[at] = static_cast<std::uint16_t>(chunks.count(c));
    }
  }
}

void TileList::assign_whole(const QuantisedBox* boxes, std::size_t size) {
  const std::size_t chunks = (size + kChunk - 1) / kChunk;
  first_chunk_.assign({0, chunks});
  boxes_.assign(1, size);
  chunks_.resize(chunks);
  counts_.resize(chunks);
  for (std::size_t c = 0; c < chunks; ++c) {
    chunks_[c] = boxes + c * kChunk;
    counts_[c] = static_cast<std::uint16_t>(std::min(kChunk, size - c * kChunk));
  }
}

TileBoxes TileList::operator[](std::size_t tile) const {
  const std::size_t first = first_chunk_[tile], count = first_chunk_[tile + 1] - first;
  return {std::span(chunks_).subspan(first, count), std::span(counts_).subspan(first, count), boxes_[tile]};
}

}  // namespace winnow::tile_sweep
