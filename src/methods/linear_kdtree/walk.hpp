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
inline constexpr std::size_t kCrowd = 512;

inline constexpr std::size_t kPrefetch = 16;  // pieces ahead

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

// A piece in the hands of a visitor.
template <int Dim>
struct Visited {
  std::uint32_t place;  // in the sorted list
  std::uint64_t key;
  std::uint32_t id;
  const typename Tree<Dim>::Item& item;
};

// Calls visit(piece, whether it is of the group, ancestors) for pieces [begin, end). Pieces of crowded cells
// are visited but, with `skip_crowds`, are nobody's ancestors.
template <int Dim, class Visit>
void walk(const Tree<Dim>& tree, const Roles& roles, bool skip_crowds, std::size_t begin, std::size_t end,
          Visit visit) {
  const std::span<const Piece> pieces = tree.pieces();
  AncestorsByRole<Dim> ancestors;
  const auto piece_at = [&](std::size_t i) {
    const Piece& piece = pieces[i];
    return Visited<Dim>{static_cast<std::uint32_t>(i), piece.key(), tree.id(piece.id), tree.item(piece.id)};
  };
  const auto enter = [&](const Visited<Dim>& piece) {
    (piece.id < roles.group ? ancestors.group : ancestors.others)
        .enter(piece.place, tree.space().last_extension(piece.key), piece.id, piece.item.corner,
               piece.item.box);
  };

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
      for (std::size_t i = from; i < stop; ++i) enter(piece_at(i));
    from = stop;
  }

  std::uint64_t last_key = first_key;
  bool crowded = skip_crowds && cell_of(pieces, begin).size() >= kCrowd;
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kPrefetch < pieces.size()) tree.prefetch(pieces[i + kPrefetch].id);
    const Visited<Dim> piece = piece_at(i);
    if (piece.key != last_key) {
      ancestors.group.leave(piece.key);
      ancestors.others.leave(piece.key);
      crowded = skip_crowds && i + kCrowd <= pieces.size() && pieces[i + kCrowd - 1].key() == piece.key;
      last_key = piece.key;
    }
    visit(piece, piece.id < roles.group, ancestors);
    if (!crowded) enter(piece);
  }
}

}  // namespace winnow::linear_kdtree
