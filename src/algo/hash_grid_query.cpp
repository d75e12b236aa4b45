// Queries of a spatial hash: what shares a cell with a box.
#include <algorithm>

#include "algo/hash_grid_cells.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {

template <int Dim>
void HashGrid<Dim>::candidates(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const {
  if (size_ == 0) return;
  if (covers_many_cells(box)) {  // more cells than objects: look at the objects instead
    for (std::uint32_t id = 0; id < objects_.size(); ++id)
      if (objects_[id].level != kAbsent && overlaps(box, objects_[id].box)) ids.push_back(id);
    return;
  }
  for (const std::uint32_t id : oversized_)
    if (overlaps(box, objects_[id].box)) ids.push_back(id);
  if (scheme_ == HashScheme::hierarchical) return descend(box, 0, cells_of(box, 0), 0, ids);
  for (int level = 0; level < static_cast<int>(levels_.size()); ++level) {
    const Cells touched = cells_of(box, level);
    for_each_cell<Dim>(touched.first, touched.last, [&](const At& at) {
      if (const Slot* slot = find(at, level, key(at, level))) candidates_in_cell(*slot, touched, ids);
    });
  }
}

template <int Dim>
bool HashGrid<Dim>::covers_many_cells(const Box<Dim>& box) const {
  double cells = 1;  // of the smallest level, which has the most
  for (int axis = 0; axis < Dim; ++axis)
    cells *= (static_cast<double>(box.hi[axis]) - box.lo[axis]) * scales_.back() + 1;
  return cells > 4 * static_cast<double>(size_) + 64;
}

// An object in several of the box's cells is reported from one of them only (see later_axes_).
template <int Dim>
void HashGrid<Dim>::candidates_in_cell(const Slot& slot, const Cells& cells,
                                       std::vector<std::uint32_t>& ids) const {
  const std::uint8_t later = later_axes<Dim>(slot.at, cells.first);
  for (std::uint32_t entry = slot.head; entry != kNone; entry = entries_[entry].next)
    if ((later & later_axes_[entry]) == 0) ids.push_back(entries_[entry].id);
}

// Listing 2: from the largest cells down; a cell without children ends its branch. Keys add up on the way
// (equation 4).
template <int Dim>
void HashGrid<Dim>::descend(const Box<Dim>& box, int level, const Cells& within, std::uint32_t parent_key,
                            std::vector<std::uint32_t>& ids) const {
  const Cells touched = cells_of(box, level);
  Cells here;
  for (int axis = 0; axis < Dim; ++axis) {
    here.first[axis] = std::max(touched.first[axis], within.first[axis]);
    here.last[axis] = std::min(touched.last[axis], within.last[axis]);
    if (here.first[axis] > here.last[axis]) return;
  }
  for_each_cell<Dim>(here.first, here.last, [&](const At& at) {
    const std::uint32_t own_key = parent_key + cell_key<Dim>(at);
    const Slot* slot = find(at, level, own_key);
    if (slot == nullptr) return;
    candidates_in_cell(*slot, touched, ids);
    if (!slot->has_children) return;
    const int down = levels_[level] - levels_[level + 1];
    Cells inside;
    for (int axis = 0; axis < Dim; ++axis) {
      inside.first[axis] = first_inside(at[axis], down);
      inside.last[axis] = first_inside(at[axis] + 1, down) - 1;
    }
    descend(box, level + 1, inside, own_key, ids);
  });
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
