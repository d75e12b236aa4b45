#include "methods/linear_kdtree/tree.hpp"

#include <atomic>
#include <cmath>
#include <numeric>

namespace winnow::linear_kdtree {
namespace {

constexpr std::size_t kBlock = 4096;          // boxes coded or split at a time
constexpr std::size_t kSplitRun = 256;        // boxes whose pieces are written together
constexpr std::size_t kMergeShare = 1 << 15;  // pieces
constexpr std::size_t kFewBoxes = 2048;       // they fit the caches in any order
constexpr std::size_t kNear = 64;             // boxes; runs of this length on the curve count as one place
constexpr std::size_t kMergeLimit = 4;        // merging pays when less than 1 / 4 of the boxes have new codes

constexpr std::size_t kPrefetch = 16;  // boxes ahead

constexpr auto key_of = [](const Piece& piece) { return piece.key(); };

template <int Dim>
void prefetch_box(BoxesView<Dim> boxes, std::size_t i) {
  for (int axis = 0; axis < Dim; ++axis) {
    __builtin_prefetch(reinterpret_cast<const std::byte*>(boxes.lo_columns()[axis]) +
                       i * boxes.stride_bytes());
    __builtin_prefetch(reinterpret_cast<const std::byte*>(boxes.hi_columns()[axis]) +
                       i * boxes.stride_bytes());
  }
}

}  // namespace

template <int Dim>
void Tree<Dim>::assign(BoxesView<Dim> boxes, Executor& executor) {
  if (boxes.size() != items_.size() || !coherent_ || order_is_stale_) sort_order(boxes, executor);
  const bool merge = code_items(boxes, executor) < boxes.size() / kMergeLimit;
  comparable_ = false;
  if (merge) {
    merge_changed(executor);
  } else {
    split_items(pieces_, executor, [](std::uint32_t) { return true; });
    radix_sort(pieces_, scratch_, executor, key_of);
    pieces_sorted_ = pieces_.size();
  }
  comparable_ = coherent_;
}

// Boxes near in space get near in memory: everything after this reads and writes runs instead of single
// places.
template <int Dim>
void Tree<Dim>::sort_order(BoxesView<Dim> boxes, Executor& executor) {
  comparable_ = false;
  order_.resize_for_overwrite(boxes.size());
  order_is_stale_ = false;
  if (boxes.size() <= kFewBoxes) return std::iota(order_.begin(), order_.end(), 0u);

  Buffer<KeyedId<std::uint32_t>> keys(boxes.size());
  const int shift = std::max(0, space_.code_bits() - 32);
  parallel_for(executor, boxes.size(), kBlock, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      std::array<std::uint32_t, Dim> slices;
      for (int axis = 0; axis < Dim; ++axis) slices[axis] = space_.slice(axis, boxes.lo(axis, i));
      keys[i] = {static_cast<std::uint32_t>(space_.code(slices) >> shift), static_cast<std::uint32_t>(i)};
    }
  });
  RadixScratch<KeyedId<std::uint32_t>> scratch;
  radix_sort(keys, scratch, executor);
  parallel_for(executor, keys.size(), kBlock, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t rank = begin; rank < end; ++rank) order_[rank] = keys[rank].id;
  });
}

// Returns how many codes differ from the last frame's; all of them when those are of no use.
template <int Dim>
std::size_t Tree<Dim>::code_items(BoxesView<Dim> boxes, Executor& executor) {
  const std::size_t n = boxes.size();
  items_.resize_for_overwrite(n);
  far_codes_.resize_for_overwrite(n);
  changed_.resize_for_overwrite(n);
  const int code_bits = space_.code_bits();
  const int near_bits = std::max(0, code_bits - static_cast<int>(std::bit_width(n / kNear)));
  std::atomic<std::size_t> changes{0}, jumps{0};
  parallel_for(executor, n, kBlock, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::size_t my_changes = 0, my_jumps = 0;
    std::uint64_t last_corner = 0;
    for (std::size_t rank = begin; rank < end; ++rank) {
      if (rank + kPrefetch < end) prefetch_box(boxes, order_[rank + kPrefetch]);
      const Box<Dim> box = boxes[order_[rank]];
      std::array<std::uint32_t, Dim> lo, hi;
      double volume = rule_.small_enough;
      for (int axis = 0; axis < Dim; ++axis) {
        lo[axis] = space_.slice(axis, box.lo[axis]);
        hi[axis] = space_.slice(axis, box.hi[axis]);
        volume *= space_.slices(axis, static_cast<double>(box.hi[axis]) - box.lo[axis]);
      }
      const int open = volume < 1 ? -1 : std::ilogb(volume);
      const std::uint64_t deep_enough = static_cast<std::uint64_t>(std::clamp(code_bits - open, 0, 63));
      const std::uint64_t corner = space_.code(lo);
      const std::uint64_t far_code = space_.code(hi) | deep_enough << kMostCodeBits;
      const bool changed = !comparable_ || items_[rank].corner != corner || far_codes_[rank] != far_code;
      items_[rank] = {box, corner};
      far_codes_[rank] = far_code;
      changed_[rank] = changed;
      my_changes += changed;
      my_jumps += (corner ^ last_corner) >> near_bits != 0;
      last_corner = corner;
    }
    changes += my_changes;
    jumps += my_jumps;
  });
  order_is_stale_ = jumps > n / 4;
  return comparable_ ? changes.load() : n;
}

// The pieces of the boxes whose rank is kept, in runs in any order. They get as much room as there is from
// the last frame; should it be too little, how much is needed is known then.
template <int Dim>
template <class Keep>
void Tree<Dim>::split_items(Buffer<Piece>& pieces, Executor& executor, Keep keep) {
  const Splitter<Dim> splitter(space_, rule_.split, rule_.octree);
  std::atomic<std::size_t> total{pieces.capacity()};
  std::size_t room;
  do {
    room = total.exchange(0);
    pieces.resize_for_overwrite(room);
    parallel_for(executor, items_.size(), kBlock, [&](std::size_t begin, std::size_t end, std::size_t) {
      Piece run[kSplitRun * Splitter<Dim>::kMostParts];
      std::uint64_t keys[Splitter<Dim>::kMostParts];
      for (std::size_t first = begin; first < end; first += kSplitRun) {
        const std::size_t last = std::min(end, first + kSplitRun);
        std::size_t count = 0;
        for (auto rank = static_cast<std::uint32_t>(first); rank < last; ++rank) {
          if (!keep(rank)) continue;
          const std::size_t parts = splitter.place(items_[rank].corner, far_codes_[rank], keys);
          for (std::size_t part = 0; part < parts; ++part) run[count++] = Piece::of(keys[part], rank);
        }
        const std::size_t place = total.fetch_add(count);
        if (place + count <= room) std::copy_n(run, count, pieces.data() + place);
      }
    });
  } while (total > room);
  pieces.resize(total);
}

// The old list without the pieces of changed boxes, merged with their new pieces.
template <int Dim>
void Tree<Dim>::merge_changed(Executor& executor) {
  split_items(changed_pieces_, executor, [&](std::uint32_t rank) { return changed_[rank] != 0; });
  radix_sort(changed_pieces_, changed_scratch_, executor, key_of);
  pieces_sorted_ = changed_pieces_.size();

  const std::size_t shares = (pieces_.size() + kMergeShare - 1) / kMergeShare;
  const Piece* const fresh = changed_pieces_.begin();
  const Piece* const fresh_end = changed_pieces_.end();
  // New pieces that come before old piece number i; the shares cut both lists at the same keys.
  const auto fresh_before = [&](std::size_t i) {
    if (i == 0) return fresh;
    if (i >= pieces_.size()) return fresh_end;
    return std::lower_bound(fresh, fresh_end, pieces_[i].key(),
                            [](const Piece& piece, std::uint64_t key) { return piece.key() < key; });
  };
  Buffer<std::size_t> begins(shares + 1);
  const auto for_each_share = [&](auto body) {
    parallel_for(executor, shares, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t s = begin; s < end; ++s)
        body(s, s * kMergeShare, std::min(pieces_.size(), (s + 1) * kMergeShare));
    });
  };
  for_each_share([&](std::size_t share, std::size_t first, std::size_t last) {
    std::size_t count = static_cast<std::size_t>(fresh_before(last) - fresh_before(first));
    for (std::size_t i = first; i < last; ++i) count += changed_[pieces_[i].id] == 0;
    begins[share] = count;
  });
  std::size_t total = 0;
  for (std::size_t share = 0; share < shares; ++share) total += std::exchange(begins[share], total);

  scratch_.records.resize_for_overwrite(total);
  for_each_share([&](std::size_t share, std::size_t first, std::size_t last) {
    Piece* out = scratch_.records.data() + begins[share];
    const Piece* next = fresh_before(first);
    const Piece* const stop = fresh_before(last);
    for (std::size_t i = first; i < last; ++i) {
      const Piece piece = pieces_[i];
      if (changed_[piece.id] != 0) continue;
      while (next != stop && next->key() < piece.key()) *out++ = *next++;
      *out++ = piece;
    }
    std::copy(next, stop, out);
  });
  pieces_.swap(scratch_.records);
}

template <int Dim>
double Tree<Dim>::cell_volume() const {
  double sum = 0;
  for (const Piece& piece : pieces_) sum += space_.cell_volume(piece.key());
  return sum;
}

template <int Dim>
std::size_t Tree<Dim>::memory_bytes() const {
  return order_.memory_bytes() + items_.memory_bytes() + far_codes_.memory_bytes() + changed_.memory_bytes() +
         pieces_.memory_bytes() + scratch_.memory_bytes() + changed_pieces_.memory_bytes() +
         changed_scratch_.memory_bytes();
}

template class Tree<2>;
template class Tree<3>;

}  // namespace winnow::linear_kdtree
