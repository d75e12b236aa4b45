#include "io/checksum.hpp"

#include <zlib.h>

#include <algorithm>

namespace winnow::io {

std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t before) {
  constexpr std::size_t kPiece = 1u << 30;  // zlib counts in 32 bits
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPiece));
    before = static_cast<std::uint32_t>(
        crc32(before, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size())));
    bytes = bytes.subspan(piece.size());
  }
  return before;
}

}  // namespace winnow::io
