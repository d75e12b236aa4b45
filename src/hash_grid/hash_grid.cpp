// A spatial hash: levels, cells, building, insertion, removal. Its table is in hash_grid_table.cpp, queries
// in hash_grid_query.cpp, pairs in hash_grid_pairs.cpp.
#include "winnow/hash_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "hash_grid/hash_grid_cells.hpp"
#include "hash_grid/hash_levels.hpp"

namespace winnow {
namespace {

// Objects that an object may meet in a cell, itself included, on average: of more, cells are too large.
constexpr std::uint64_t kCrowded = 1000;

}  // namespace

template <int Dim>
double HashGrid<Dim>::Cells::count() const {
  double product = 1;
  for (int axis = 0; axis < Dim; ++axis) product *= static_cast<double>(last[axis]) - first[axis] + 1;
  return product;
}

// The smallest level whose cells are not smaller than objects of the class.
template <int Dim>
std::int16_t HashGrid<Dim>::level_for(int size_class) const {
  std::int16_t level = static_cast<std::int16_t>(levels_.size()) - 1;
  while (level > 0 && levels_[level] < size_class) --level;
  return level;
}

template <int Dim>
void HashGrid<Dim>::set_levels(std::vector<int> levels) {
  levels_ = std::move(levels);
  scales_.clear();
  for (int& level : levels_) {
    level = std::max(level, kSmallestClass);
    scales_.push_back(std::ldexp(1.0f, -level));
  }
}

// In no cell yet.
template <int Dim>
typename HashGrid<Dim>::Object HashGrid<Dim>::object_of(const Box<Dim>& box) {
  return {box, kOversized, static_cast<std::int16_t>(class_of(box))};
}

template <int Dim>
void HashGrid<Dim>::build(BoxesView<Dim> boxes) {
  objects_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) objects_[i] = object_of(boxes[i]);
  size_ = boxes.size();
  rebuild();
}

// Chooses levels for the objects there are and stores each anew.
template <int Dim>
void HashGrid<Dim>::rebuild() {
  ClassCounts counts;
  for (const Object& object : objects_)
    if (object.level != kAbsent) ++counts[object.size_class];
  for (;;) {
    choose_cell_sizes(counts);
    clear_table(std::max<std::size_t>(slots_.size(), 16));
    while (!count_contents()) clear_table(2 * slots_.size());
    if (widening_ == 0 || met_ <= kCrowded * slot_of_copy_.size()) break;
    --widening_;
  }
  if (may_widen_ && met_ * 16 < kCrowded * slot_of_copy_.size())  // there is room: the next build tries it
    widening_ = std::min(widening_ + 1, kMostWidening);
  fill_contents();
  // Growing by doubling may leave the table far too large; the next build fits it.
  const bool tight = has_occupancy();
  const std::size_t fitting = used_slots_ + used_slots_ * (tight ? 7 : 10) / 16 + (tight ? 8 : 16);
  if (slots_.size() > fitting + fitting / (tight ? 32 : 4))
    resize_table(fitting);
  else
    mark_all();
}

template <int Dim>
void HashGrid<Dim>::choose_cell_sizes(const ClassCounts& counts) {
  if (!given_levels_.empty())
    set_levels(given_levels_);
  else if (scheme_ == HashScheme::uniform)
    set_levels({std::min(choose_uniform_class(counts, Dim) + widening_, kLargestClass)});
  else
    set_levels(choose_levels(counts, widening_));
}

// Finds or adds the cells of all objects and counts what they will hold; false if the table is too small.
// Slots are fetched some cells ahead: the table seldom fits the caches.
template <int Dim>
bool HashGrid<Dim>::count_contents() {
  constexpr std::size_t kAhead = 32;
  struct Place {
    At at;
    int level;
    std::uint32_t key;
  };
  std::array<Place, kAhead> places;
  std::size_t waiting = 0;
  const auto count_waiting = [&] {
    for (std::size_t i = 0; i < waiting && !full(); ++i) {
      Slot& slot = find_or_add(places[i].at, places[i].level, places[i].key);
      met_ += 2 * std::uint64_t{slot.count} + 1;
      ++slot.count;
      slot_of_copy_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
    }
    waiting = 0;
  };
  met_ = 0;
  slot_of_copy_.clear();
  oversized_.clear();
  for (std::uint32_t id = 0; id < objects_.size() && !full(); ++id) {
    Object& object = objects_[id];
    if (object.level == kAbsent) continue;
    object.level = level_for(object.size_class);
    const Cells cells = cells_of(object.box, object.level);
    if (covers_too_many(cells)) {
      object.level = kOversized;
      oversized_.push_back(id);
      continue;
    }
    for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
      places[waiting] = {at, object.level, key(at, object.level)};
      __builtin_prefetch(&slots_[scaled(places[waiting].key, slots_.size())]);
      if (++waiting == kAhead) count_waiting();
    });
  }
  count_waiting();
  return !full();
}

// Gives each cell a block and puts the objects' ids there.
template <int Dim>
void HashGrid<Dim>::fill_contents() {
  if (slot_of_copy_.size() >= kNone / 2)  // in blocks they take up to twice the room
    throw std::length_error("HashGrid: more than 2147483646 cells are covered");
  std::uint32_t total = 0;
  for (Slot& slot : slots_) {
    if (slot.build != build_) continue;
    slot.first = total;
    total += std::bit_ceil(slot.count);
    slot.count = 0;
  }
  ids_.resize(total);
  later_axes_.resize(total);
  free_blocks_.fill(kNone);
  const std::uint32_t* copy = slot_of_copy_.data();
  for (std::uint32_t id = 0; id < objects_.size(); ++id) {
    if (objects_[id].level < 0) continue;
    const Cells cells = cells_of(objects_[id].box, objects_[id].level);
    for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
      Slot& slot = slots_[*copy++];
      ids_[slot.first + slot.count] = id;
      later_axes_[slot.first + slot.count] = later_axes<Dim>(at, cells.first);
      ++slot.count;
    });
  }
}

template <int Dim>
void HashGrid<Dim>::insert(std::uint32_t id, const Box<Dim>& box) {
  remove(id);
  if (objects_.size() <= id) objects_.resize(std::size_t{id} + 1);
  objects_[id] = object_of(box);
  ++size_;
  // Larger than any so far: the hierarchy gets a new top.
  const bool fixed = scheme_ == HashScheme::uniform || !given_levels_.empty();
  if (levels_.empty() || (!fixed && objects_[id].size_class > levels_.front()))
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
  object.level = level_for(object.size_class);
  const Cells cells = cells_of(object.box, object.level);
  if (covers_too_many(cells)) {
    object.level = kOversized;
    oversized_.push_back(id);
    return;
  }
  for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
    if (full()) make_room();
    Slot& slot = find_or_add(at, object.level, key(at, object.level));
    if (scheme_ == HashScheme::hierarchical && slot.count == 0) mark(at, object.level);
    add_to_cell(slot, id, later_axes<Dim>(at, cells.first));
  });
  if (has_occupancy() && !occupancy_.mark_later(object.box, object.level)) mark_occupancy();
}

// Marks stay: they may then promise objects that are gone, which costs a look and no more.
template <int Dim>
void HashGrid<Dim>::unstore(std::uint32_t id) {
  const Object& object = objects_[id];
  if (object.level == kOversized) {
    std::erase(oversized_, id);
    return;
  }
  const Cells cells = cells_of(object.box, object.level);
  for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
    remove_from_cell(find_or_add(at, object.level, key(at, object.level)), id);
  });
}

// Of a uniform hash: better kept in a list and tested against everything.
template <int Dim>
bool HashGrid<Dim>::covers_too_many(const Cells& cells) const {
  return scheme_ == HashScheme::uniform && cells.count() > most_cells(size_);
}

// Without the occupancy.
template <int Dim>
std::size_t HashGrid<Dim>::memory_bytes() const {
  return slots_.capacity() * sizeof(Slot) + marks_.capacity() * sizeof(std::uint16_t) +
         (ids_.capacity() + slot_of_copy_.capacity()) * sizeof(std::uint32_t) + later_axes_.capacity() +
         objects_.capacity() * sizeof(Object) + oversized_.capacity() * sizeof(std::uint32_t);
}

template <int Dim>
MethodStats HashGrid<Dim>::stats() const {
  std::size_t copies = 0;
  for (const Slot& slot : slots_)
    if (slot.build == build_) copies += slot.count;
  MethodStats stats;
  stats.candidates = tested_;
  stats.memory_bytes = memory_bytes() + occupancy_.memory_bytes();
  stats.details = {{"levels", static_cast<double>(levels_.size())},
                   {"cells", static_cast<double>(used_slots_)},
                   {"copies", static_cast<double>(copies)},
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
