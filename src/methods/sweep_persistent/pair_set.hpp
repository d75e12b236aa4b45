// A set of pairs: a dense array of them, and a table of places in it by open addressing. Walking the set is
// walking an array; nothing is allocated for a single pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "winnow/buffer.hpp"
#include "winnow/pair.hpp"

namespace winnow {

class PairSet {
 public:
  bool insert(Pair pair);  // false if it was there
  bool erase(Pair pair);   // false if it was not; the last pair takes its place
  bool contains(Pair pair) const;
  void clear();
  void reserve(std::size_t pairs);

  std::size_t size() const { return pairs_.size(); }
  std::span<const Pair> pairs() const { return {pairs_.data(), pairs_.size()}; }
  std::size_t memory_bytes() const { return pairs_.memory_bytes() + places_.memory_bytes(); }

 private:
  // Where the pair is in the table, or the empty entry where it would be.
  std::size_t find(Pair pair) const;
  std::size_t home(Pair pair) const;
  std::size_t mask() const { return places_.size() - 1; }
  void rehash(std::size_t entries);

  Buffer<Pair> pairs_;
  // Invariant: a power of two (or none) of entries, at most half of them taken; 0 is empty, else the place in
  // pairs_ plus one. No empty entry lies between a pair's home and its entry.
  Buffer<std::uint32_t> places_;
};

}  // namespace winnow
