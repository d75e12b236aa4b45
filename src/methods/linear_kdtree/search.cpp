// The sweep meets a piece with all pieces of the cells around its own. That is quadratic where very many
// share a cell: boxes long on one axis stop at large cells though they are thin on the others, and clusters
// finer than the bits of a code share the smallest. Such a crowd gets a tree of its own, over the crowd and
// the subtree below it: with the crowd's bounds for interest space, which continues the codes where
// resolution is missing, and without the axes that its members span, which tell them apart least. A tree in a
// tree finds pairs of pieces; those that the outer tree would report elsewhere are dropped by the outer
// tree's own rule.
#include "methods/linear_kdtree/search.hpp"

#include <limits>
#include <optional>
#include <vector>

#include "methods/linear_kdtree/outline.hpp"
#include "methods/linear_kdtree/walk.hpp"

namespace winnow::linear_kdtree {
namespace {

constexpr std::size_t kWalkGrain = 1 << 14;  // pieces; finding a part's first ancestors costs about a hundred
constexpr int kMostLevels = 12;              // of trees in trees; in the last, crowds are tested pair by pair

using Places = std::vector<std::uint32_t>;  // of pieces in a list

// A tree to be searched. The boxes of a crowd's tree are pieces of the tree around it.
template <int Dim>
struct Level {
  const Tree<Dim>& tree;
  Roles roles;
  unsigned blind = 0;  // axes the tree has no bits for, by choice
  int depth = 1;
  const Level* outer = nullptr;
  const Places* outer_places = nullptr;  // by id
};

// A pair belongs where the lower corner of its intersection lies in the inner of the two cells.
template <int Dim>
bool owns(const CodeSpace<Dim>& space, std::uint64_t inner_key, std::uint64_t corner_a,
          std::uint64_t corner_b) {
  return space.contains(inner_key, space.upper_of(corner_a, corner_b));
}

// Follows pairs of boxes of this level out to the caller's boxes and drops those that belong elsewhere on the
// way; returns how many stay.
template <int Dim>
std::size_t resolve(const Level<Dim>& level, Pair* pairs, std::size_t count) {
  if (level.outer == nullptr) return count;
  const Tree<Dim>& tree = level.outer->tree;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // The later piece in the list has the inner cell.
    const auto [place, inner_place] =
        std::minmax((*level.outer_places)[pairs[i].a], (*level.outer_places)[pairs[i].b]);
    const Piece &piece = tree.pieces()[place], &inner = tree.pieces()[inner_place];
    pairs[kept] = ordered_pair(tree.id(piece.id), tree.id(inner.id));
    kept += owns(tree.space(), inner.key(), tree.item(piece.id).corner, tree.item(inner.id).corner);
  }
  return resolve(*level.outer, pairs, kept);
}

// The piece itself: its box, cut by its cell. All that two pieces share lies in both of their parts.
template <int Dim>
Box<Dim> part(const Tree<Dim>& tree, std::uint32_t place) {
  const Piece& piece = tree.pieces()[place];
  Box<Dim> box = tree.item(piece.id).box;
  const Box<Dim> cell = tree.space().cell(piece.key());
  for (int axis = 0; axis < Dim; ++axis) {
    box.lo[axis] = std::max(box.lo[axis], cell.lo[axis]);
    box.hi[axis] = std::min(box.hi[axis], cell.hi[axis]);
  }
  return box;
}

template <int Dim>
double extent(const Box<Dim>& box, int axis) {
  return static_cast<double>(box.hi[axis]) - box.lo[axis];
}

// Who works on a tree: all workers, or only one of them while the others work on other trees.
struct Crew {
  Executor& executor;
  std::optional<std::size_t> only = std::nullopt;
  std::size_t worker(std::size_t i) const { return only.value_or(i); }
};

template <int Dim>
class Search {
 public:
  Search(double small_enough, std::size_t workers, PairSink& sink)
      : small_enough_(small_enough), sink_(sink), counts_(workers) {}

  void run(const Level<Dim>& level, const Crew& crew) {
    const bool skip_crowds = level.depth < kMostLevels && level.tree.space().code_bits() != 0;
    sweep(level, skip_crowds, crew);
    if (skip_crowds) search_crowds(level, crew);
  }

  SearchCounts counts() const {
    SearchCounts sum;
    for (const Counts& part : counts_) sum.add(part.value);
    return sum;
  }

 private:
  struct alignas(64) Counts {
    SearchCounts value;
  };

  void sweep(const Level<Dim>& level, bool skip_crowds, const Crew& crew);
  void search_crowds(const Level<Dim>& level, const Crew& crew);
  void search_crowd(const Level<Dim>& level, PieceRange crowd, const Crew& crew);
  void search_by_shape(const Level<Dim>& level, const Places& group, Places others, bool within,
                       const Crew& crew);
  void search_anew(const Level<Dim>& level, const Places& group, const Places& others, bool within,
                   unsigned spanned, const Crew& crew);

  double small_enough_;
  PairSink& sink_;
  std::vector<Counts> counts_;  // by worker
};

template <int Dim>
void Search<Dim>::sweep(const Level<Dim>& level, bool skip_crowds, const Crew& crew) {
  const auto sweep_part = [&](std::size_t begin, std::size_t end, std::size_t worker) {
    PairWriter& writer = sink_.writer(crew.worker(worker));
    SearchCounts counts;
    const auto test = [&](const Visited<Dim>& piece, Ancestors<Dim>& ancestors) {
      const auto hits = ancestors.overlapping(piece.item.box);
      counts.tests += ancestors.size();
      if (hits.empty()) return;
      Pair* const out = writer.reserve(hits.size());
      std::size_t found = 0;
      for (const std::uint32_t hit : hits) {
        const std::uint32_t other = ancestors.id(hit);
        out[found] = {std::min(other, piece.id), std::max(other, piece.id)};
        found += owns(level.tree.space(), piece.key, ancestors.corner(hit), piece.item.corner);
      }
      if (level.outer != nullptr) found = resolve(level, out, found);
      writer.commit(out + found);
      counts.pairs += found;
    };
    walk(level.tree, level.roles, skip_crowds, begin, end,
         [&](const Visited<Dim>& piece, bool of_group, AncestorsByRole<Dim>& ancestors) {
           if (!of_group || level.roles.within) test(piece, ancestors.group);
           if (of_group) test(piece, ancestors.others);
         });
    counts_[crew.worker(worker)].value.add(counts);
  };
  parallel_for(crew.executor, level.tree.pieces().size(), kWalkGrain, sweep_part);
}

// A few crowds one after the other, each by all workers; many of them side by side.
template <int Dim>
void Search<Dim>::search_crowds(const Level<Dim>& level, const Crew& crew) {
  const std::span<const Piece> pieces = level.tree.pieces();
  std::vector<PieceRange> crowds;
  constexpr std::size_t kStep = kCrowd / 2;  // every crowd holds two neighbours among the multiples of this
  for (std::size_t i = 0; i + kStep < pieces.size(); i += kStep) {
    if (pieces[i].key() != pieces[i + kStep].key() || (!crowds.empty() && i < crowds.back().end)) continue;
    const PieceRange cell = cell_of(pieces, i);
    if (cell.size() >= kCrowd) crowds.push_back(cell);
  }
  if (crowds.size() < 4 * crew.executor.workers()) {
    for (const PieceRange crowd : crowds) search_crowd(level, crowd, crew);
    return;
  }
  parallel_for(crew.executor, crowds.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    SerialExecutor serial;
    for (std::size_t i = begin; i < end; ++i) search_crowd(level, crowds[i], {serial, crew.worker(worker)});
  });
}

template <int Dim>
void Search<Dim>::search_crowd(const Level<Dim>& level, PieceRange crowd, const Crew& crew) {
  const std::span<const Piece> pieces = level.tree.pieces();
  const std::uint64_t last_key = level.tree.space().last_extension(pieces[crowd.begin].key());
  const auto below = pieces.subspan(crowd.end);
  const std::size_t end =
      crowd.end +
      static_cast<std::size_t>(std::ranges::upper_bound(below, last_key, {}, &Piece::key) - below.begin());

  Places group, others, group_below, others_below;
  for (std::size_t i = crowd.begin; i < end; ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    const bool of_group = level.tree.id(pieces[i].id) < level.roles.group;
    if (i < crowd.end)
      (of_group ? group : others).push_back(place);
    else
      (of_group ? group_below : others_below).push_back(place);
  }
  Places against_group = others_below;
  against_group.insert(against_group.end(), others.begin(), others.end());
  if (level.roles.within) against_group.insert(against_group.end(), group_below.begin(), group_below.end());
  search_by_shape(level, group, std::move(against_group), level.roles.within, crew);
  search_by_shape(level, others, std::move(group_below), false, crew);
}

// Members that span the same axes of their cell make one group; each is searched against the following too.
template <int Dim>
void Search<Dim>::search_by_shape(const Level<Dim>& level, const Places& group, Places others, bool within,
                                  const Crew& crew) {
  if (group.empty() || (others.empty() && !within)) return;
  const Tree<Dim>& tree = level.tree;
  Box<Dim> bounds = part(tree, group[0]);
  for (const std::uint32_t place : group) {
    const Box<Dim> box = part(tree, place);
    for (int axis = 0; axis < Dim; ++axis) {
      bounds.lo[axis] = std::min(bounds.lo[axis], box.lo[axis]);
      bounds.hi[axis] = std::max(bounds.hi[axis], box.hi[axis]);
    }
  }
  std::array<Places, 1 << Dim> by_shape;
  for (const std::uint32_t place : group) {
    const Box<Dim> box = part(tree, place);
    unsigned spanned = 0;
    for (int axis = 0; axis < Dim; ++axis)
      spanned |= unsigned{extent(box, axis) >= extent(bounds, axis) / 4} << axis;
    by_shape[spanned].push_back(place);
  }
  for (unsigned spanned = by_shape.size(); spanned-- > 0;) {
    const Places& members = by_shape[spanned];
    if (members.empty()) continue;
    search_anew(level, members, others, within, spanned, crew);
    if (within) others.insert(others.end(), members.begin(), members.end());
  }
}

// Searches the group against the others in a tree of their own, blind to the axes that the group spans.
template <int Dim>
void Search<Dim>::search_anew(const Level<Dim>& level, const Places& group, const Places& others, bool within,
                              unsigned spanned, const Crew& crew) {
  const Tree<Dim>& tree = level.tree;
  std::vector<Box<Dim>> boxes;
  boxes.reserve(group.size() + others.size());
  for (const std::uint32_t place : group) boxes.push_back(part(tree, place));
  Outline<Dim> outline = measure(BoxesView<Dim>(boxes), crew.executor);
  const unsigned blind = level.blind | spanned;
  for (int axis = 0; axis < Dim; ++axis)
    if ((blind >> axis & 1) != 0) outline.unit[axis] = std::numeric_limits<double>::infinity();

  Places places = group;
  for (const std::uint32_t place : others) {
    const Box<Dim> box = part(tree, place);
    if (!overlaps(box, outline.bounds)) continue;
    boxes.push_back(box);
    places.push_back(place);
  }
  Tree<Dim> nested({.small_enough = small_enough_});
  nested.set_space(CodeSpace<Dim>(outline.bounds, outline.unit));
  nested.assign(boxes, crew.executor);
  counts_[crew.worker(0)].value.add({.crowded = nested.pieces().size(), .crowds = 1});
  run({nested, {group.size(), within}, blind, level.depth + 1, &level, &places}, crew);
}

}  // namespace

template <int Dim>
SearchCounts search_pairs(const Tree<Dim>& tree, double small_enough, Executor& executor, PairSink& sink) {
  Search<Dim> search(small_enough, executor.workers(), sink);
  search.run({tree, {tree.size(), true}}, {executor});
  return search.counts();
}

template <int Dim>
void search_candidates(const Tree<Dim>& tree, Executor& executor, PairSink& sink) {
  const std::span<const Piece> pieces = tree.pieces();
  parallel_for(executor, pieces.size(), kWalkGrain,
               [&](std::size_t begin, std::size_t end, std::size_t worker) {
                 PairWriter& writer = sink.writer(worker);
                 walk(tree, {tree.size(), true}, false, begin, end,
                      [&](const Visited<Dim>& piece, bool, AncestorsByRole<Dim>& by_role) {
                        const Ancestors<Dim>& ancestors = by_role.group;
                        Pair* const out = writer.reserve(ancestors.size());
                        for (std::size_t i = 0; i < ancestors.size(); ++i)
                          out[i] = ordered_pair(ancestors.id(i), piece.id);
                        writer.commit(out + ancestors.size());
                      });
               });
}

template <int Dim>
std::uint64_t count_candidates(const Tree<Dim>& tree) {
  // The numbers of pieces in the cells that the walk is in, with the last key of each cell's subtree.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cells;
  std::uint64_t ancestors = 0, candidates = 0;
  const std::span<const Piece> pieces = tree.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint64_t key = pieces[i].key();
    if (i == 0 || key != pieces[i - 1].key()) {
      for (; !cells.empty() && cells.back().first < key; cells.pop_back()) ancestors -= cells.back().second;
      cells.emplace_back(tree.space().last_extension(key), 0);
    }
    candidates += ancestors++;
    ++cells.back().second;
  }
  return candidates;
}

template SearchCounts search_pairs(const Tree<2>&, double, Executor&, PairSink&);
template SearchCounts search_pairs(const Tree<3>&, double, Executor&, PairSink&);
template void search_candidates(const Tree<2>&, Executor&, PairSink&);
template void search_candidates(const Tree<3>&, Executor&, PairSink&);
template std::uint64_t count_candidates(const Tree<2>&);
template std::uint64_t count_candidates(const Tree<3>&);

}  // namespace winnow::linear_kdtree
