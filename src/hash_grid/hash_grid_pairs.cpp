// Pairs of a spatial hash: objects of one level meet in their cells; an object meets those of larger levels
// by looking into the few larger cells it touches.
#include <algorithm>
#include <limits>
#include <numeric>

#include "algo/radix_sort.hpp"
#include "hash_grid/hash_grid_cells.hpp"
#include "simd/overlap.hpp"
#include "simd/sweep.hpp"
#include "winnow/hash_grid.hpp"

namespace winnow {
namespace {

constexpr std::size_t kFew = 6;  // up to so many objects in a cell are compared one by one

using Sorted = KeyedId<std::uint32_t>;

}  // namespace

template <int Dim>
struct HashGrid<Dim>::Scratch {
  Buffer<Sorted> order;
  RadixScratch<Sorted> radix;
  Boxes<Dim> boxes;
  Buffer<std::uint32_t> ids;
  std::vector<std::uint32_t> hits;
  std::uint64_t tested = 0;
};

template <int Dim>
void HashGrid<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  std::vector<Scratch> scratch(executor.workers());
  // Widened cells are few and hold much: enough shares for all workers.
  const std::size_t share = std::clamp<std::size_t>(slots_.size() / 64, 1, 512);
  parallel_for(executor, slots_.size(), share, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    PairWriter& writer = sink.writer(worker);
    for (std::size_t i = begin; i < end; ++i)
      if (slots_[i].build == build_ && slots_[i].count >= 2)
        pairs_in_cell(slots_[i], scratch[worker], writer);
  });
  if (levels_.size() > 1) {
    Boxes<Dim> boxes;  // beside ids_: those of larger cells, which smaller objects look into again and again
    boxes.resize(ids_.size());
    parallel_for(executor, slots_.size(), share, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t s = begin; s < end; ++s) {
        const Slot& slot = slots_[s];
        if (slot.build != build_ || slot.count <= kFew) continue;
        for (std::uint32_t i = slot.first; i != slot.first + slot.count; ++i)
          boxes.set(i, objects_[ids_[i]].box);
      }
    });
    parallel_for(executor, objects_.size(), 512, [&](std::size_t begin, std::size_t end, std::size_t worker) {
      PairWriter& writer = sink.writer(worker);
      for (std::size_t id = begin; id < end; ++id)
        if (objects_[id].level > 0)
          pairs_with_larger(static_cast<std::uint32_t>(id), boxes.columns(), scratch[worker], writer);
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

// The axis along which the lower bounds of a cell's objects lie widest apart.
template <int Dim>
int HashGrid<Dim>::widest_axis(const Slot& slot) const {
  std::array<float, Dim> least, most;
  least.fill(std::numeric_limits<float>::infinity());
  most.fill(-std::numeric_limits<float>::infinity());
  for (std::uint32_t i = slot.first; i != slot.first + slot.count; ++i) {
    const auto& lo = objects_[ids_[i]].box.lo;
    for (int axis = 0; axis < Dim; ++axis) {
      least[axis] = std::min(least[axis], lo[axis]);
      most[axis] = std::max(most[axis], lo[axis]);
    }
  }
  int widest = 0;
  for (int axis = 1; axis < Dim; ++axis)
    if (double{most[axis]} - least[axis] > double{most[widest]} - least[widest]) widest = axis;
  return widest;
}

template <int Dim>
void HashGrid<Dim>::pairs_in_cell(const Slot& slot, Scratch& scratch, PairWriter& writer) const {
  const std::uint32_t end = slot.first + slot.count;
  if (slot.count <= kFew) {
    for (std::uint32_t i = slot.first; i != end; ++i) {
      const Box<Dim>& box = objects_[ids_[i]].box;
      for (std::uint32_t j = i + 1; j != end; ++j) {
        if ((later_axes_[i] & later_axes_[j]) != 0) continue;
        ++scratch.tested;
        if (overlaps(box, objects_[ids_[j]].box)) writer.write(ordered_pair(ids_[i], ids_[j]));
      }
    }
    return;
  }
  // A group for each set of axes on which the cell is not its objects' first, sorted along the widest axis,
  // ready to be swept. Only groups without an axis in common can report a pair here.
  const std::size_t n = slot.count;
  const int axis = widest_axis(slot);
  const std::uint8_t* later = later_axes_.data() + slot.first;
  std::array<std::size_t, (1 << Dim) + 1> group{};  // where each begins
  for (std::size_t i = 0; i < n; ++i) ++group[later[i] + 1u];
  std::partial_sum(group.begin(), group.end(), group.begin());
  auto& [order, radix, boxes, ids, hits, tested] = scratch;
  order.resize_for_overwrite(n);
  for (auto [i, place] = std::pair(std::size_t{0}, group); i < n; ++i) {
    const std::uint32_t id = ids_[slot.first + i];
    order[place[later[i]]++] = {float_key(objects_[id].box.lo[axis]), id};
  }
  boxes.resize(n);
  ids.resize_for_overwrite(n + kSweepSlack);
  std::fill(ids.end() - kSweepSlack, ids.end(), 0);
  SerialExecutor serial;
  for (std::size_t g = 0; g < 1 << Dim; ++g) {
    const std::span<Sorted> records(order.data() + group[g], group[g + 1] - group[g]);
    const Sorted* sorted =
        radix_sort(records, radix, serial, [](const Sorted& record) { return record.key; });
    for (std::size_t i = 0; i < records.size(); ++i) {
      ids[group[g] + i] = sorted[i].id;
      boxes.set(group[g] + i, objects_[sorted[i].id].box);
    }
  }
  BoxColumns<Dim> columns = boxes.columns();
  std::swap(columns.lo[0], columns.lo[axis]);
  std::swap(columns.hi[0], columns.hi[axis]);
  const auto run = [&](std::size_t g) { return SortedRun<Dim>{columns, ids.data(), group[g], group[g + 1]}; };
  tested += sweep_run(run(0), group[1], writer);
  for (std::size_t g = 0; g < 1 << Dim; ++g)
    for (std::size_t h = g + 1; h < 1 << Dim; ++h)
      if ((g & h) == 0) tested += sweep_two_runs(run(g), run(h), writer);
}

template <int Dim>
void HashGrid<Dim>::pairs_with_larger(std::uint32_t id, const BoxColumns<Dim>& boxes, Scratch& scratch,
                                      PairWriter& writer) const {
  const Object& object = objects_[id];
  for (int level = 0; level < object.level; ++level) {
    const Cells cells = cells_of(object.box, level);
    for_each_cell<Dim>(cells.first, cells.last, [&](const At& at) {
      const std::uint32_t cell = key(at, level);
      if (scheme_ == HashScheme::hierarchical && (marks_of(cell) & kHoldsObjects) == 0) return;
      const Slot* slot = find(at, level, cell);
      if (slot == nullptr) return;
      const std::uint8_t later = later_axes<Dim>(at, cells.first);
      const std::uint32_t end = slot->first + slot->count;
      scratch.tested += slot->count;
      if (slot->count <= kFew) {
        for (std::uint32_t i = slot->first; i != end; ++i)
          if ((later & later_axes_[i]) == 0 && overlaps(object.box, objects_[ids_[i]].box))
            writer.write(ordered_pair(id, ids_[i]));
        return;
      }
      scratch.hits.resize(std::max<std::size_t>(scratch.hits.size(), slot->count + kOverlapSlack));
      const std::size_t count = overlap_run(object.box, boxes, slot->first, end, scratch.hits.data());
      for (std::size_t h = 0; h < count; ++h) {
        const std::uint32_t i = scratch.hits[h];
        if ((later & later_axes_[i]) == 0) writer.write(ordered_pair(id, ids_[i]));
      }
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
