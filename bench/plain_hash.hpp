// The hashing schemes of Pouchol et al. 2009 read plainly: their Listings 1 and 2 on the standard library's
// hash map, as in their 2D tests (section 4.3). The reference that shows what the paper's idea alone brings;
// nothing is tuned.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "winnow/box.hpp"

namespace winnow::bench {

template <int Dim>
class PlainHash {
 public:
  // Cell sizes as binary exponents, largest first.
  PlainHash(bool hierarchical, std::vector<int> classes)
      : hierarchical_(hierarchical), classes_(std::move(classes)) {}

  void insert(std::uint32_t id, const Box<Dim>& box) {
    double edge = 0;
    for (int axis = 0; axis < Dim; ++axis) edge = std::max<double>(edge, box.hi[axis] - box.lo[axis]);
    std::size_t level = classes_.size() - 1;
    while (level > 0 && std::ldexp(1.0, classes_[level]) < edge) --level;
    for_each_cell(box, level, [&](const At& at) {
      Key key = 0;
      if (hierarchical_) {
        for (std::size_t larger = 0; larger < level; ++larger) {
          key += hash(around(at, classes_[larger] - classes_[level]), 0);
          cells_[key].has_children = true;
        }
        key += hash(at, 0);
      } else {
        key = hash(at, level);
      }
      cells_[key].ids.push_back(id);
    });
  }

  // Objects in the cells that the box touches, each once.
  void candidates(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const {
    if (hierarchical_) {
      descend(box, 0, 0, {}, ids);
    } else {
      for (std::size_t level = 0; level < classes_.size(); ++level)
        for_each_cell(box, level, [&](const At& at) { take(hash(at, level), ids); });
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }

  std::size_t memory_bytes() const {
    std::size_t bytes = cells_.bucket_count() * sizeof(void*);
    for (const auto& [key, cell] : cells_)
      bytes += sizeof(void*) + sizeof(key) + sizeof(cell) + cell.ids.capacity() * sizeof(std::uint32_t);
    return bytes;
  }

 private:
  using At = std::array<std::int64_t, Dim>;
  using Key = std::uint64_t;  // never reduced: the table's length is infinite (section 4.3)
  struct Cell {
    std::vector<std::uint32_t> ids;
    bool has_children = false;
  };

  static Key hash(const At& at, std::size_t level) {
    constexpr Key primes[] = {73856093, 19349663, 83492791};
    Key key = 0;
    for (int axis = 0; axis < Dim; ++axis) key ^= static_cast<Key>(at[axis]) * primes[axis];
    return key + (static_cast<Key>(level) << 56);
  }
  static At around(At at, int up) {
    for (auto& x : at) x >>= up;
    return at;
  }

  template <class Visit>
  void for_each_cell(const Box<Dim>& box, std::size_t level, Visit visit) const {
    const double size = std::ldexp(1.0, classes_[level]);
    At first, last;
    for (int axis = 0; axis < Dim; ++axis) {
      first[axis] = static_cast<std::int64_t>(std::floor(box.lo[axis] / size));
      last[axis] = static_cast<std::int64_t>(std::floor(box.hi[axis] / size));
    }
    At at = first;
    for (;;) {
      visit(at);
      int axis = 0;
      while (at[axis] == last[axis]) {
        at[axis] = first[axis];
        if (++axis == Dim) return;
      }
      ++at[axis];
    }
  }

  const Cell* take(Key key, std::vector<std::uint32_t>& ids) const {
    const auto found = cells_.find(key);
    if (found == cells_.end()) return nullptr;
    ids.insert(ids.end(), found->second.ids.begin(), found->second.ids.end());
    return &found->second;
  }

  void descend(const Box<Dim>& box, std::size_t level, Key above, const At& parent,
               std::vector<std::uint32_t>& ids) const {
    for_each_cell(box, level, [&](const At& at) {
      if (level > 0 && around(at, classes_[level - 1] - classes_[level]) != parent) return;
      const Key key = above + hash(at, 0);
      const Cell* cell = take(key, ids);
      if (cell != nullptr && cell->has_children && level + 1 < classes_.size())
        descend(box, level + 1, key, at, ids);
    });
  }

  bool hierarchical_;
  std::vector<int> classes_;
  std::unordered_map<Key, Cell> cells_;
};

}  // namespace winnow::bench
