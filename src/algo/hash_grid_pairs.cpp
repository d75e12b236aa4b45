// Pairs of a spatial hash: objects of one level meet in their cells; an object meets those of larger levels
// by looking into the few larger cells it touches.
#include <algorithm>
#include <numeric>

#include "algo/hash_grid_cells.hpp"
#include "simd/overlap.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {
namespace {

constexpr std::size_t kFew = 6;        // up to so many objects in a cell are compared one by one
constexpr std::size_t kCrowded = 256;  // more are sorted and swept: their cell is large for them

// The axis along which the boxes' lower bounds lie widest apart.
template <int Dim>
int widest_axis(const Boxes<Dim>& boxes) {
  int best = 0;
  double most = -1;
  for (int axis = 0; axis < Dim; ++axis) {
    const auto [lo, hi] = std::minmax_element(boxes.lo(axis), boxes.lo(axis) + boxes.size());
    const double width = static_cast<double>(*hi) - *lo;
    if (width > most) {
      most = width;
      best = axis;
    }
  }
  return best;
}

}  // namespace

template <int Dim>
struct HashGrid<Dim>::Scratch {
  Boxes<Dim> boxes;
  std::vector<std::uint32_t> entries, ids, hits;
  std::vector<std::uint8_t> later;
  std::uint64_t tested = 0;
};

template <int Dim>
void HashGrid<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  std::vector<Scratch> scratch(executor.workers());
  parallel_for(executor, slots_.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    PairWriter& writer = sink.writer(worker);
    for (std::size_t i = begin; i < end; ++i)
      if (slots_[i].build == build_ && slots_[i].count >= 2)
        pairs_in_cell(slots_[i], scratch[worker], writer);
  });
  if (levels_.size() > 1) {
    parallel_for(executor, objects_.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t worker) {
      PairWriter& writer = sink.writer(worker);
      for (std::size_t id = begin; id < end; ++id)
        if (objects_[id].level > 0)
          pairs_with_larger(static_cast<std::uint32_t>(id), scratch[worker], writer);
    });
  }
  if (!oversized_.empty()) {
    Boxes<Dim> all;
    all.resize(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) all.set(i, objects_[i].box);
    parallel_for(executor, oversized_.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
      for (std::size_t i = begin; i < end; ++i)
        pairs_of_oversized(oversized_[i], all, scratch[worker], sink.writer(worker));
    });
  }
  tested_ = 0;
  for (const Scratch& part : scratch) tested_ += part.tested;
}

template <int Dim>
void HashGrid<Dim>::pairs_in_cell(const Slot& slot, Scratch& scratch, PairWriter& writer) const {
  if (slot.count <= kFew) {
    scratch.tested += slot.count * (slot.count - 1) / 2;
    for (std::uint32_t i = slot.head; i != kNone; i = entries_[i].next)
      for (std::uint32_t j = entries_[i].next; j != kNone; j = entries_[j].next)
        if ((later_axes_[i] & later_axes_[j]) == 0 &&
            overlaps(objects_[entries_[i].id].box, objects_[entries_[j].id].box))
          writer.write(ordered_pair(entries_[i].id, entries_[j].id));
    return;
  }
  auto& [boxes, list, ids, hits, later, tested] = scratch;
  const std::size_t n = slot.count;
  list.clear();
  for (std::uint32_t entry = slot.head; entry != kNone; entry = entries_[entry].next) list.push_back(entry);
  hits.resize(n + kOverlapSlack);
  ids.resize(n);
  later.resize(n);
  boxes.resize(n);
  const auto gather = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      ids[i] = entries_[list[i]].id;
      later[i] = later_axes_[list[i]];
      boxes.set(i, objects_[ids[i]].box);
    }
  };
  gather();
  const bool crowded = n > kCrowded;
  const int axis = crowded ? widest_axis(boxes) : 0;
  if (crowded) {
    std::ranges::sort(list, {},
                      [&](std::uint32_t entry) { return objects_[entries_[entry].id].box.lo[axis]; });
    gather();
  }
  const BoxColumns<Dim> columns = boxes.columns();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Box<Dim> box = boxes[i];
    const float* lo = boxes.lo(axis);
    const std::size_t end =
        crowded ? static_cast<std::size_t>(std::upper_bound(lo + i + 1, lo + n, box.hi[axis]) - lo) : n;
    const std::size_t count = overlap_run(box, columns, i + 1, end, hits.data());
    tested += end - i - 1;
    Pair* out = writer.reserve(count);
    for (std::size_t h = 0; h < count; ++h) {
      *out = ordered_pair(ids[i], ids[hits[h]]);
      out += (later[i] & later[hits[h]]) == 0;
    }
    writer.commit(out);
  }
}

template <int Dim>
void HashGrid<Dim>::pairs_with_larger(std::uint32_t id, Scratch& scratch, PairWriter& writer) const {
  const Object& object = objects_[id];
  for (int level = 0; level < object.level; ++level) {
    const Cells cells = cells_of(object.box, level);
    for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
      const Slot* slot = find(at, level, key(at, level));
      if (slot == nullptr) return;
      const std::uint8_t later = later_axes<Dim>(at, cells.first);
      scratch.tested += slot->count;
      for (std::uint32_t entry = slot->head; entry != kNone; entry = entries_[entry].next)
        if ((later & later_axes_[entry]) == 0 && overlaps(object.box, objects_[entries_[entry].id].box))
          writer.write(ordered_pair(id, entries_[entry].id));
    });
  }
}

// Against everything that is in cells, and against the oversized with larger ids.
template <int Dim>
void HashGrid<Dim>::pairs_of_oversized(std::uint32_t id, const Boxes<Dim>& all, Scratch& scratch,
                                       PairWriter& writer) const {
  constexpr std::size_t kRun = 2048;
  scratch.hits.resize(std::max(scratch.hits.size(), kRun + kOverlapSlack));
  scratch.tested += size_;
  for (std::size_t begin = 0; begin < all.size(); begin += kRun) {
    const std::size_t end = std::min(all.size(), begin + kRun);
    const std::size_t count = overlap_run(objects_[id].box, all.columns(), begin, end, scratch.hits.data());
    for (std::size_t h = 0; h < count; ++h) {
      const std::uint32_t other = scratch.hits[h];
      const std::int16_t level = objects_[other].level;
      if (level >= 0 || (level == kOversized && other > id)) writer.write(ordered_pair(id, other));
    }
  }
}

template void HashGrid<2>::find_pairs(Executor&, PairSink&);
template void HashGrid<3>::find_pairs(Executor&, PairSink&);

}  // namespace winnow
