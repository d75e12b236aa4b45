// The sorted copies of a tile's boxes: what gather fills and the sweep reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "winnow/buffer.hpp"

namespace winnow::tile_sweep {

// The boxes of a tile, copied to every column they reach and sorted by cell: one array per bound. Bounds are
// signed, and upper bounds are complemented. Then box q meets box v on any face when
// ~q[opposite face] - v[face] >= 0.
// Invariant: kSlack copies past the end overlap nothing.
class Columns {
 public:
  static constexpr std::size_t kSlack = 64;

  void resize(std::size_t size);
  void close();  // establishes the invariant once all else is filled
  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return values_.memory_bytes() + ids_.memory_bytes(); }

  // face k < 3: lower bound on layout.axis[k]; k >= 3: complement of the upper one.
  std::int16_t* face(int k) { return values_.data() + stride_ * k; }
  std::int16_t* cell() { return face(6); }        // less 32768
  std::int16_t* last_cell() { return face(7); }   // in reach along the column, less 32768
  std::int16_t* later_axes() { return face(8); }  // the later-axis bits of the tag, from bit 0 on
  std::uint32_t* ids() { return ids_.data(); }
  const std::int16_t* face(int k) const { return values_.data() + stride_ * k; }
  const std::int16_t* cell() const { return face(6); }
  const std::int16_t* last_cell() const { return face(7); }
  const std::int16_t* later_axes() const { return face(8); }
  const std::uint32_t* ids() const { return ids_.data(); }

 private:
  static constexpr std::size_t kArrays = 9;

  Buffer<std::int16_t> values_;
  Buffer<std::uint32_t> ids_;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace winnow::tile_sweep
