// Which lanes of a vector a mask keeps, in order: tables for compress-inl.hpp. They stand at namespace scope
// because a table inside a function is copied to the stack at every call by some compilers, which is why
// Highway 1.0's own Compress is not used: with GCC 12 it made kernels five times slower.
#pragma once

#include <array>
#include <cstdint>

namespace winnow {

// Entry [mask][k]: the lane that goes to place k. Lanes past the kept ones are arbitrary but valid.
template <int Lanes>
constexpr auto compress_lanes() {
  std::array<std::array<std::uint32_t, Lanes>, 1 << Lanes> table{};
  for (unsigned mask = 0; mask < table.size(); ++mask) {
    int place = 0;
    for (std::uint32_t lane = 0; lane < Lanes; ++lane)
      if (mask >> lane & 1) table[mask][place++] = lane;
  }
  return table;
}

// The same in units of a part of a lane: each lane is `Parts` parts side by side.
template <int Lanes, int Parts, class Index>
constexpr auto compress_parts() {
  constexpr auto lanes = compress_lanes<Lanes>();
  std::array<std::array<Index, Lanes * Parts>, 1 << Lanes> table{};
  for (unsigned mask = 0; mask < table.size(); ++mask)
    for (int place = 0; place < Lanes; ++place)
      for (int part = 0; part < Parts; ++part)
        table[mask][place * Parts + part] = static_cast<Index>(lanes[mask][place] * Parts + part);
  return table;
}

alignas(64) inline constexpr auto kCompress8x32 = compress_lanes<8>();

// For two vectors of eight lanes that are compressed, then interleaved block by block of four lanes: places
// go to lanes so that the results stand in order, with no exchange of blocks. In bytes, to take fewer lines
// of the cache.
constexpr auto compress_for_interleave() {
  constexpr auto lanes = compress_lanes<8>();
  constexpr std::array<int, 8> lane_of_place{0, 1, 4, 5, 2, 3, 6, 7};
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < table.size(); ++mask)
    for (int place = 0; place < 8; ++place)
      table[mask][lane_of_place[place]] = static_cast<std::uint8_t>(lanes[mask][place]);
  return table;
}
alignas(64) inline constexpr auto kCompressInterleave8 = compress_for_interleave();

alignas(64) inline constexpr auto kCompress4x64 = compress_parts<4, 2, std::uint32_t>();
// In bytes, for vectors of up to 128 bits.
template <int Lanes, int Bytes>
alignas(64) inline constexpr auto kCompressBytes = compress_parts<Lanes, Bytes, std::uint8_t>();

}  // namespace winnow
