// CRC-32, as in zip files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace winnow::io {

// Of the bytes that follow those whose checksum is `before`.
std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace winnow::io
