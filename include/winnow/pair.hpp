// A pair of overlapping boxes, and an order-free digest that makes huge sets of pairs comparable.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>

namespace winnow {

// Two indices into the caller's boxes, a < b.
struct Pair {
  std::uint32_t a;
  std::uint32_t b;

  friend constexpr auto operator<=>(const Pair&, const Pair&) = default;
};

constexpr Pair ordered_pair(std::uint32_t i, std::uint32_t j) { return i < j ? Pair{i, j} : Pair{j, i}; }

// One 64-bit key for a pair; keys sort as pairs do (by a, then b).
constexpr std::uint64_t pair_key(Pair pair) { return std::uint64_t{pair.a} << 32 | pair.b; }

// The number of pairs and the sum of their hashes: equal for equal sets in any order, changed by a lost,
// added, doubled or exchanged pair.
struct PairDigest {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

  constexpr void add(Pair pair) {
    ++count;
    sum += mix(pair_key(pair));
  }
  constexpr void add(std::span<const Pair> pairs) {
    for (const Pair pair : pairs) add(pair);
  }
  constexpr void add(const PairDigest& other) {
    count += other.count;
    sum += other.sum;
  }

  std::string hex() const;  // 16 hexadecimal digits of the sum

  friend constexpr bool operator==(const PairDigest&, const PairDigest&) = default;

 private:
  // Finaliser of MurmurHash3: every bit of the key reaches every bit of the hash.
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
  }
};

}  // namespace winnow
