// Walks a part of the sorted list and hands each piece to a visitor, after bringing the stacks of its
// ancestors up to date. Any part can be walked on its own: the ancestors of its first piece are found by
// their keys.
#pragma once

#include <algorithm>
#include <cstdint>

#include "methods/linear_kdtree/ancestors.hpp"
#include "methods/linear_kdtree/tree.hpp"

namespace winnow::linear_kdtree {

// Equal keys in a row from which a cell is crowded: testing each piece of its subtree against all of them
// costs more than a tree of their own.
inline constexpr std::size_t kCrowd = 1024;

struct PieceRange {
  std::size_t begin;
  std::size_t end;
  std::size_t size() const { return end - begin; }
};

// The pieces with the same key as piece i.
inline PieceRange cell_of(std::span<const Piece> pieces, std::size_t i) {
  const auto range = std::ranges::equal_range(pieces, pieces[i].key(), {}, &Piece::key);
  return {static_cast<std::size_t>(range.begin() - pieces.begin()),
          static_cast<std::size_t>(range.end() - pieces.begin())};
}

// Members of the group (ids below `group`) are searched against the others, and against each other if
// `within`.
struct Roles {
  std::size_t group;
  bool within;
};

// Ancestors of the group and of the others apart, because the others are not searched against each other.
template <int Dim>
struct AncestorsByRole {
  Ancestors<Dim> group, others;
};

// Calls visit(place of the piece, its item, whether it is of the group, ancestors) for pieces [begin, end).
// Pieces of crowded cells are visited but, with `skip_crowds`, are nobody's ancestors.
template <int Dim, class Visit>
void walk(const Tree<Dim>& tree, const Roles& roles, bool skip_crowds, std::size_t begin, std::size_t end,
          Visit visit) {
  const std::span<const Piece> pieces = tree.pieces();
  AncestorsByRole<Dim> ancestors;
  const auto enter = [&](std::size_t i, bool of_group, const Box<Dim>& box) {
    (of_group ? ancestors.group : ancestors.others)
        .enter(static_cast<std::uint32_t>(i), tree.space().last_extension(pieces[i].key()), box);
  };
  const bool all_of_group = roles.group == tree.size();
  const auto in_group = [&](std::size_t i) { return all_of_group || tree.id(pieces[i].id) < roles.group; };

  // Where the part begins: for each shorter prefix of its first key, and that key, the pieces before.
  const std::uint64_t first_key = pieces[begin].key();
  std::size_t from = 0;
  for (int length = 0; length <= CodeSpace<Dim>::length(first_key); ++length) {
    const std::uint64_t prefix = tree.space().key(first_key >> 6, length);
    const auto before = pieces.subspan(from, begin - from);
    from +=
        static_cast<std::size_t>(std::ranges::lower_bound(before, prefix, {}, &Piece::key) - before.begin());
    if (from == begin || pieces[from].key() != prefix) continue;
    const PieceRange cell = cell_of(pieces, from);
    const std::size_t stop = std::min(cell.end, begin);
    if (!skip_crowds || cell.size() < kCrowd)
      for (std::size_t i = from; i < stop; ++i) enter(i, in_group(i), tree.item(pieces[i].id).box);
    from = stop;
  }

  std::uint64_t last_key = first_key;
  bool crowded = skip_crowds && cell_of(pieces, begin).size() >= kCrowd;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t key = pieces[i].key();
    if (key != last_key) {
      ancestors.group.leave(key);
      ancestors.others.leave(key);
      crowded = skip_crowds && i + kCrowd <= pieces.size() && pieces[i + kCrowd - 1].key() == key;
      last_key = key;
    }
    const auto& item = tree.item(pieces[i].id);
    const bool of_group = in_group(i);
    visit(i, item, of_group, ancestors);
    if (!crowded) enter(i, of_group, item.box);
  }
}

}  // namespace winnow::linear_kdtree
