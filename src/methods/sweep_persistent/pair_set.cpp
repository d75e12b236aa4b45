#include "methods/sweep_persistent/pair_set.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace winnow {

std::size_t PairSet::home(Pair pair) const {
  // Multiplicative hashing: the best-mixed bits of the product are the upper ones.
  const std::uint64_t hash = pair_key(pair) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>((hash ^ (hash >> 32)) >> 16) & mask();
}

std::size_t PairSet::find(Pair pair) const {
  std::size_t entry = home(pair);
  while (places_[entry] != 0 && pairs_[places_[entry] - 1] != pair) entry = (entry + 1) & mask();
  return entry;
}

bool PairSet::contains(Pair pair) const { return !places_.empty() && places_[find(pair)] != 0; }

bool PairSet::insert(Pair pair) {
  reserve(pairs_.size() + 1);
  const std::size_t entry = find(pair);
  if (places_[entry] != 0) return false;
  pairs_.push_back(pair);
  places_[entry] = static_cast<std::uint32_t>(pairs_.size());
  return true;
}

bool PairSet::erase(Pair pair) {
  if (places_.empty()) return false;
  std::size_t hole = find(pair);
  if (places_[hole] == 0) return false;
  const std::uint32_t place = places_[hole] - 1;
  const Pair last = pairs_[pairs_.size() - 1];
  places_[find(last)] = place + 1;  // the pair's own entry when it is the last
  pairs_[place] = last;
  pairs_.resize(pairs_.size() - 1);
  // Entries behind the hole that it cuts off from their homes move into it.
  for (std::size_t entry = (hole + 1) & mask(); places_[entry] != 0; entry = (entry + 1) & mask()) {
    const std::size_t way = (entry - home(pairs_[places_[entry] - 1])) & mask();
    if (way < ((entry - hole) & mask())) continue;
    places_[hole] = places_[entry];
    hole = entry;
  }
  places_[hole] = 0;
  return true;
}

void PairSet::clear() {
  pairs_.clear();
  std::fill(places_.begin(), places_.end(), 0u);
}

void PairSet::reserve(std::size_t pairs) {
  if (pairs * 2 <= places_.size()) return;
  if (pairs >= std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("a set of pairs holds fewer than 2^32 - 1");
  rehash(std::bit_ceil(std::max<std::size_t>(pairs * 2, 64)));
}

void PairSet::rehash(std::size_t entries) {
  Buffer<std::uint32_t> places(entries);
  std::fill(places.begin(), places.end(), 0u);
  places_.swap(places);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    std::size_t entry = home(pairs_[i]);
    while (places_[entry] != 0) entry = (entry + 1) & mask();
    places_[entry] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace winnow
