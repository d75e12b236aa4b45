// The table of a spatial hash: slots of cells, blocks of their contents, marks of the hierarchy.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "hash_grid/hash_grid_cells.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {

// The table must not be full.
template <int Dim>
typename HashGrid<Dim>::Slot& HashGrid<Dim>::find_or_add(const At& at, int level, std::uint32_t key) {
  std::size_t i = scaled(key, slots_.size());
  for (; slots_[i].build == build_; i = next(i))
    if (slots_[i].level == level && same_cell<Dim>(slots_[i].at, at)) return slots_[i];
  ++used_slots_;
  slots_[i] = {at, static_cast<std::int16_t>(level), build_, 0, 0};
  return slots_[i];
}

// Starts a new build: the slots of earlier ones become free at once.
template <int Dim>
void HashGrid<Dim>::clear_table(std::size_t slots) {
  if (slots != slots_.size() || ++build_ == 0) {
    slots_.assign(slots, Slot{});
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
    if (slot.build != old_build || slot.count == 0) continue;
    Slot& place = find_or_add(slot.at, slot.level, key(slot.at, slot.level));
    place.first = slot.first;
    place.count = slot.count;
  }
  mark_all();
}

// For new cells: those that have become empty go, and only if they were few does the table grow.
template <int Dim>
void HashGrid<Dim>::make_room() {
  const auto holds_objects = [&](const Slot& slot) { return slot.build == build_ && slot.count != 0; };
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(slots_, holds_objects));
  resize_table(kept * 3 < slots_.size() ? slots_.size() : 2 * slots_.size());
}

// Listing 1: from the largest cell around this one down, each learns that it is not empty inside.
template <int Dim>
void HashGrid<Dim>::mark(const At& at, int level) {
  const auto set = [&](std::uint32_t key, Mark mark) {
    const std::size_t place = scaled(key, kMarksPerSlot * slots_.size());
    marks_[place / kMarksPerSlot] |= static_cast<std::uint16_t>(mark << (2 * (place % kMarksPerSlot)));
  };
  std::uint32_t key = 0;
  for (int larger = 0; larger < level; ++larger) {
    key += cell_key<Dim>(enclosing_cell<Dim>(at, levels_[larger] - levels_[level]));
    set(key, kHasChildren);
  }
  set(key + cell_key<Dim>(at), kHoldsObjects);
}

template <int Dim>
void HashGrid<Dim>::mark_all() {
  if (scheme_ != HashScheme::hierarchical) return;
  marks_.assign(slots_.size(), 0);
  for (const Slot& slot : slots_)
    if (slot.build == build_ && slot.count != 0) mark(slot.at, slot.level);
  mark_occupancy();
}

template <int Dim>
void HashGrid<Dim>::mark_occupancy() {
  if (!has_occupancy()) return;
  constexpr std::size_t kMemoryShare = Dim == 2 ? 16 : 5;  // the maps take at most that part of all else
  constexpr float kFinest = 4;                             // cells of a quarter of the smallest level's
  typename Occupancy<Dim>::Census census(levels_.size());
  for (const Object& object : objects_)
    if (object.level >= 0) census.add(object.box, object.level);
  occupancy_.lay_out(census, scales_.front(), std::min(scales_.back(), 0x1p120f) * kFinest,
                     8 * memory_bytes() / kMemoryShare);
  for (const Object& object : objects_)
    if (object.level >= 0) occupancy_.mark(object.box, object.level);
}

template <int Dim>
std::uint32_t HashGrid<Dim>::take_block(std::uint32_t size) {
  std::uint32_t& free = free_blocks_[std::countr_zero(size)];
  if (free != kNone) {
    const std::uint32_t first = free;
    free = ids_[first];
    return first;
  }
  if (ids_.size() + size >= kNone)
    throw std::length_error("HashGrid: more than 4294967294 cells are covered");
  const auto first = static_cast<std::uint32_t>(ids_.size());
  ids_.resize(ids_.size() + size);
  later_axes_.resize(ids_.size());
  return first;
}

template <int Dim>
void HashGrid<Dim>::free_block(std::uint32_t first, std::uint32_t size) {
  ids_[first] = std::exchange(free_blocks_[std::countr_zero(size)], first);
}

template <int Dim>
void HashGrid<Dim>::add_to_cell(Slot& slot, std::uint32_t id, std::uint8_t later) {
  const std::uint32_t count = slot.count;
  if (count == 0) {
    slot.first = take_block(1);
  } else if (std::has_single_bit(count)) {  // its block is full
    const std::uint32_t larger = take_block(2 * count);
    std::copy_n(ids_.begin() + slot.first, count, ids_.begin() + larger);
    std::copy_n(later_axes_.begin() + slot.first, count, later_axes_.begin() + larger);
    free_block(std::exchange(slot.first, larger), count);
  }
  ids_[slot.first + count] = id;
  later_axes_[slot.first + count] = later;
  slot.count = count + 1;
}

template <int Dim>
void HashGrid<Dim>::remove_from_cell(Slot& slot, std::uint32_t id) {
  const std::uint32_t last = slot.first + --slot.count;
  std::uint32_t place = slot.first;
  while (ids_[place] != id) ++place;
  ids_[place] = ids_[last];
  later_axes_[place] = later_axes_[last];
  if (slot.count == 0)
    free_block(slot.first, 1);
  else if (std::has_single_bit(slot.count))  // the upper half of its block is empty
    free_block(last, slot.count);
}

#define WINNOW_INSTANTIATE(Dim)                                                            \
  template HashGrid<Dim>::Slot& HashGrid<Dim>::find_or_add(const At&, int, std::uint32_t); \
  template void HashGrid<Dim>::clear_table(std::size_t);                                   \
  template void HashGrid<Dim>::resize_table(std::size_t);                                  \
  template void HashGrid<Dim>::make_room();                                                \
  template void HashGrid<Dim>::mark(const At&, int);                                       \
  template void HashGrid<Dim>::mark_all();                                                 \
  template void HashGrid<Dim>::add_to_cell(Slot&, std::uint32_t, std::uint8_t);            \
  template void HashGrid<Dim>::remove_from_cell(Slot&, std::uint32_t);
WINNOW_INSTANTIATE(2)
WINNOW_INSTANTIATE(3)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
