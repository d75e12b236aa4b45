// The table of a spatial hash: levels, cells, insertion, removal. Queries are in hash_grid_query.cpp, pairs
// in hash_grid_pairs.cpp.
#include "winnow/hash_grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algo/hash_grid_cells.hpp"
#include "algo/hash_levels.hpp"

namespace winnow {

template <int Dim>
double HashGrid<Dim>::Cells::count() const {
  double product = 1;
  for (int axis = 0; axis < Dim; ++axis) product *= static_cast<double>(last[axis]) - first[axis] + 1;
  return product;
}

// Monotone in the coordinate, so that boxes that overlap share a cell. Exact where an object lies on its own
// level (its coordinates stay below 2^24 there); a uniform hash may meet objects very far out, which share
// the outermost cells.
template <int Dim>
typename HashGrid<Dim>::Cells HashGrid<Dim>::cells_of(const Box<Dim>& box, int level) const {
  const double scale = scales_[level];
  Cells cells;
  for (int axis = 0; axis < Dim; ++axis) {
    cells.first[axis] = to_cell(box.lo[axis] * scale);
    cells.last[axis] = to_cell(box.hi[axis] * scale);
  }
  return cells;
}

// The smallest level whose cells are not smaller than the box.
template <int Dim>
std::int16_t HashGrid<Dim>::level_for(const Box<Dim>& box) const {
  const int c = class_of(box);
  std::int16_t level = static_cast<std::int16_t>(levels_.size()) - 1;
  while (level > 0 && levels_[level] < c) --level;
  return level;
}

// A cell's own key (equation 3), with its level, for the levels share one table; the hierarchical scheme adds
// the keys of all larger cells around it instead (equation 4).
template <int Dim>
std::uint32_t HashGrid<Dim>::key(const At& at, int level) const {
  std::uint32_t sum = cell_key<Dim>(at);
  if (scheme_ != HashScheme::hierarchical) return sum + static_cast<std::uint32_t>(level) * 0x7feb352du;
  for (int larger = 0; larger < level; ++larger)
    sum += cell_key<Dim>(enclosing_cell<Dim>(at, levels_[larger] - levels_[level]));
  return sum;
}

template <int Dim>
const typename HashGrid<Dim>::Slot* HashGrid<Dim>::find(const At& at, int level, std::uint32_t key) const {
  for (std::size_t i = start(key);; i = next(i)) {
    const Slot& slot = slots_[i];
    if (slot.build != build_) return nullptr;
    if (slot.level == level && same_cell<Dim>(slot.at, at)) return &slot;
  }
}

template <int Dim>
typename HashGrid<Dim>::Slot& HashGrid<Dim>::find_or_add(const At& at, int level) {
  if (used_slots_ * 3 >= slots_.size() * 2) resize_table(slots_.size() * 2);
  std::size_t i = start(key(at, level));
  for (; slots_[i].build == build_; i = next(i))
    if (slots_[i].level == level && same_cell<Dim>(slots_[i].at, at)) return slots_[i];
  ++used_slots_;
  slots_[i] = {at, static_cast<std::int16_t>(level), build_, kNone, 0, 0};
  return slots_[i];
}

// Starts a new build: the slots of earlier ones become free at once.
template <int Dim>
void HashGrid<Dim>::reset_table() {
  if (slots_.empty() || ++build_ == 0) {
    slots_.assign(std::max<std::size_t>(slots_.size(), 16), Slot{});
    build_ = 1;
  }
  used_slots_ = 0;
}

template <int Dim>
void HashGrid<Dim>::resize_table(std::size_t slots) {
  std::vector<Slot> old(slots, Slot{});
  old.swap(slots_);
  const std::uint16_t old_build = build_;
  build_ = 1;
  used_slots_ = 0;
  for (const Slot& slot : old) {
    if (slot.build != old_build) continue;
    Slot& place = find_or_add(slot.at, slot.level);
    place.head = slot.head;
    place.count = slot.count;
    place.has_children = slot.has_children;
  }
}

template <int Dim>
void HashGrid<Dim>::set_levels(std::vector<int> levels) {
  levels_ = std::move(levels);
  scales_.clear();
  for (const int level : levels_) scales_.push_back(std::ldexp(1.0, -level));
}

template <int Dim>
void HashGrid<Dim>::build(BoxesView<Dim> boxes) {
  objects_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) objects_[i] = {boxes[i], kOversized};
  size_ = boxes.size();
  rebuild();
}

// Chooses levels for the objects there are and stores each anew.
template <int Dim>
void HashGrid<Dim>::rebuild() {
  ClassCounts counts;
  for (const Object& object : objects_)
    if (object.level != kAbsent) ++counts[class_of(object.box)];
  if (!given_levels_.empty())
    set_levels(given_levels_);
  else if (scheme_ == HashScheme::uniform)
    set_levels({choose_uniform_class(counts, Dim)});
  else
    set_levels(choose_levels(counts));
  reset_table();
  entries_.clear();
  later_axes_.clear();
  oversized_.clear();
  free_entry_ = kNone;
  for (std::uint32_t id = 0; id < objects_.size(); ++id)
    if (objects_[id].level != kAbsent) store(id);
  // Growing by doubling may leave the table far too large; the next build fits it.
  const std::size_t fitting = used_slots_ + used_slots_ * 5 / 8 + 16;
  if (slots_.size() > fitting + fitting / 4) resize_table(fitting);
}

template <int Dim>
void HashGrid<Dim>::insert(std::uint32_t id, const Box<Dim>& box) {
  remove(id);
  if (objects_.size() <= id) objects_.resize(std::size_t{id} + 1);
  objects_[id] = {box, kOversized};
  ++size_;
  // Larger than any so far: the hierarchy gets a new top.
  const bool fixed = scheme_ == HashScheme::uniform || !given_levels_.empty();
  if (levels_.empty() || (!fixed && class_of(box) > levels_.front()))
    rebuild();
  else
    store(id);
}

template <int Dim>
bool HashGrid<Dim>::remove(std::uint32_t id) {
  if (!contains(id)) return false;
  unstore(id);
  objects_[id].level = kAbsent;
  --size_;
  return true;
}

template <int Dim>
void HashGrid<Dim>::store(std::uint32_t id) {
  Object& object = objects_[id];
  object.level = level_for(object.box);
  const Cells cells = cells_of(object.box, object.level);
  if (scheme_ == HashScheme::uniform && cells.count() > most_cells(size_)) {
    object.level = kOversized;
    oversized_.push_back(id);
    return;
  }
  for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
    std::uint32_t entry = free_entry_;
    if (entry == kNone) {
      if (entries_.size() >= kNone)
        throw std::length_error("HashGrid: more than 4294967294 cells are covered");
      entry = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
      later_axes_.emplace_back();
    } else {
      free_entry_ = entries_[entry].next;
    }
    Slot& slot = find_or_add(at, object.level);
    entries_[entry] = {id, slot.head};
    later_axes_[entry] = later_axes<Dim>(at, cells.first);
    slot.head = entry;
    ++slot.count;
    if (scheme_ == HashScheme::hierarchical && slot.count == 1) mark_ancestors(at, object.level);
  });
}

// Every larger cell around this one learns that it is not empty inside; who has learnt it has told its own.
template <int Dim>
void HashGrid<Dim>::mark_ancestors(const At& at, int level) {
  for (int larger = level - 1; larger >= 0; --larger) {
    Slot& slot = find_or_add(enclosing_cell<Dim>(at, levels_[larger] - levels_[level]), larger);
    if (slot.has_children) return;
    slot.has_children = 1;
  }
}

// The flags of larger cells stay: they may then promise children that are gone, which costs a look and no
// more.
template <int Dim>
void HashGrid<Dim>::unstore(std::uint32_t id) {
  const Object& object = objects_[id];
  if (object.level == kOversized) {
    std::erase(oversized_, id);
    return;
  }
  const Cells cells = cells_of(object.box, object.level);
  for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
    Slot& slot = find_or_add(at, object.level);
    std::uint32_t* link = &slot.head;
    while (entries_[*link].id != id) link = &entries_[*link].next;
    const std::uint32_t entry = *link;
    *link = entries_[entry].next;
    entries_[entry].next = free_entry_;
    free_entry_ = entry;
    --slot.count;
  });
}

template <int Dim>
MethodStats HashGrid<Dim>::stats() const {
  MethodStats stats;
  stats.candidates = tested_;
  stats.memory_bytes = slots_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Entry) +
                       later_axes_.capacity() + objects_.capacity() * sizeof(Object) +
                       oversized_.capacity() * sizeof(std::uint32_t);
  stats.details = {{"levels", static_cast<double>(levels_.size())},
                   {"cells", static_cast<double>(used_slots_)},
                   {"copies", static_cast<double>(entries_.size())},
                   {"oversized", static_cast<double>(oversized_.size())}};
  if (!levels_.empty()) {
    stats.details.push_back({"largest_cell", std::ldexp(1.0, levels_.front())});
    stats.details.push_back({"smallest_cell", std::ldexp(1.0, levels_.back())});
  }
  return stats;
}

template class HashGrid<2>;
template class HashGrid<3>;

}  // namespace winnow
