// Queries of a spatial hash: what shares a cell with a box.
#include <algorithm>

#include "hash_grid/hash_grid_cells.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {

template <int Dim>
bool HashGrid<Dim>::covers_many_cells(const Box<Dim>& box) const {
  double cells = 1;  // of the smallest level, which has the most
  for (int axis = 0; axis < Dim; ++axis)
    cells *= (static_cast<double>(box.hi[axis]) - box.lo[axis]) * scales_.back() + 1;
  return cells > 4 * static_cast<double>(size_) + 64;
}

// An object in several of the box's cells is reported from one of them only (see later_axes_).
template <int Dim>
void HashGrid<Dim>::candidates_in_cell(const Slot& slot, const Cells& touched,
                                       std::vector<std::uint32_t>& ids) const {
  const std::uint8_t later = later_axes<Dim>(slot.at, touched.first);
  for (std::uint32_t i = slot.first; i != slot.first + slot.count; ++i)
    if ((later & later_axes_[i]) == 0) ids.push_back(ids_[i]);
}

template <int Dim>
[[gnu::always_inline]] inline void HashGrid<Dim>::candidates_on_level(const Box<Dim>& box, int level,
                                                                      std::vector<std::uint32_t>& ids) const {
  const Cells touched = cells_of(box, level);
  for_each_cell<Dim>(touched.first, touched.last, [&](const At& at) {
    if (const Slot* slot = find(at, level, key(at, level))) candidates_in_cell(*slot, touched, ids);
  });
}

// Listing 2: from the largest cells down; a cell without children ends its branch. Keys add up on the way
// (equation 4). `within` are the cells of `touched` that lie in the parent cell.
template <int Dim>
[[gnu::always_inline]] inline void HashGrid<Dim>::descend(const Box<Dim>& box, int level,
                                                          const Cells& touched, const Cells& within,
                                                          std::uint32_t parent_key,
                                                          std::vector<std::uint32_t>& ids) const {
  for_each_cell<Dim>(within.first, within.last, [&](const At& at) {
    const std::uint32_t own_key = parent_key + cell_key<Dim>(at);
    const unsigned marks = marks_of(own_key);
    if ((marks & kHoldsObjects) != 0)
      if (const Slot* slot = find(at, level, own_key)) candidates_in_cell(*slot, touched, ids);
    if ((marks & kHasChildren) != 0) descend_into(box, level, at, own_key, ids);
  });
}

template <int Dim>
void HashGrid<Dim>::descend_into(const Box<Dim>& box, int level, At parent, std::uint32_t parent_key,
                                 std::vector<std::uint32_t>& ids) const {
  const int below = level + 1;
  if (below == static_cast<int>(levels_.size())) return;  // another cell's mark
  const Cells touched = cells_of(box, below);
  Cells inside;
  if (clip_to_parent<Dim>(touched, parent, levels_[level] - levels_[below], inside))
    descend(box, below, touched, inside, parent_key, ids);
}

// Small boxes, most of which have nothing near, ask the occupancy and then the levels it names; others
// descend.
template <int Dim>
void HashGrid<Dim>::candidates_in_hierarchy(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const {
  const auto occupied = occupancy_.near(box);
  if (occupied == 0) return;
  if (covers_many_cells(box)) return candidates_among_all(box, ids);
  if (occupied == Occupancy<Dim>::kUnknown) {
    const Cells touched = cells_of(box, 0);
    return descend(box, 0, touched, touched, 0, ids);
  }
  for (int level = 0; level < static_cast<int>(levels_.size()); ++level)
    if ((occupied & occupancy_.map_of(level)) != 0) candidates_on_level(box, level, ids);
}

// For a box of more cells than there are objects.
template <int Dim>
void HashGrid<Dim>::candidates_among_all(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const {
  for (std::uint32_t id = 0; id < objects_.size(); ++id)
    if (objects_[id].level != kAbsent && overlaps(box, objects_[id].box)) ids.push_back(id);
}

template <int Dim>
void HashGrid<Dim>::candidates(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const {
  if (size_ == 0) return;
  if (scheme_ == HashScheme::hierarchical) return candidates_in_hierarchy(box, ids);
  if (covers_many_cells(box)) return candidates_among_all(box, ids);
  for (const std::uint32_t id : oversized_)
    if (overlaps(box, objects_[id].box)) ids.push_back(id);
  for (int level = 0; level < static_cast<int>(levels_.size()); ++level) candidates_on_level(box, level, ids);
}

template <int Dim>
void HashGrid<Dim>::candidates_of_point(const std::array<float, Dim>& point,
                                        std::vector<std::uint32_t>& ids) const {
  candidates({point, point}, ids);
}

template <int Dim>
void HashGrid<Dim>::candidates_of_segment(const std::array<float, Dim>& from,
                                          const std::array<float, Dim>& to,
                                          std::vector<std::uint32_t>& ids) const {
  Box<Dim> path;
  for (int axis = 0; axis < Dim; ++axis) {
    path.lo[axis] = std::min(from[axis], to[axis]);
    path.hi[axis] = std::max(from[axis], to[axis]);
  }
  candidates(path, ids);
}

#define WINNOW_INSTANTIATE(Dim)                                                                \
  template void HashGrid<Dim>::candidates(const Box<Dim>&, std::vector<std::uint32_t>&) const; \
  template void HashGrid<Dim>::candidates_of_point(const std::array<float, Dim>&,              \
                                                   std::vector<std::uint32_t>&) const;         \
  template void HashGrid<Dim>::candidates_of_segment(                                          \
      const std::array<float, Dim>&, const std::array<float, Dim>&, std::vector<std::uint32_t>&) const;
WINNOW_INSTANTIATE(2)
WINNOW_INSTANTIATE(3)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
