#include "methods/kdtree_sweep/motion_tracker.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "base/legal_box.hpp"
#include "winnow/validate.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kBlock = 64;  // boxes compared at once
constexpr std::size_t kGrain = 64;  // blocks that one worker takes at once

// A hull that no box rests in.
template <int Dim>
Box<Dim> nothing() {
  Box<Dim> box;
  box.lo.fill(std::numeric_limits<float>::infinity());
  box.hi.fill(-std::numeric_limits<float>::infinity());
  return box;
}

// Whether the boxes lie as ours do.
template <int Dim>
bool is_packed(BoxesView<Dim> boxes) {
  return boxes.as_boxes() != nullptr && boxes.stride_bytes() == sizeof(Box<Dim>);
}

template <int Dim>
bool same_bytes(const Box<Dim>* a, const Box<Dim>* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(Box<Dim>)) == 0;
}

template <int Dim>
bool same_bytes(const Box<Dim>& a, const Box<Dim>& b) {
  using Words = std::array<std::uint64_t, sizeof(Box<Dim>) / sizeof(std::uint64_t)>;
  const auto x = std::bit_cast<Words>(a), y = std::bit_cast<Words>(b);
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i) difference |= x[i] ^ y[i];
  return difference == 0;
}

}  // namespace

template <int Dim>
void MotionTracker<Dim>::clear() {
  boxes_.clear();
  hulls_.clear();
  motions_.clear();
  all_known_ = still_ = true;
  moved_ = 0;
}

// One bit for each box of the block that is not as it was, and whether these are legal.
template <int Dim>
auto MotionTracker<Dim>::changes(BoxesView<Dim> boxes, std::size_t begin, std::size_t end) const -> Changes {
  const bool packed = is_packed(boxes);
  const std::size_t known = std::clamp(boxes_.size(), begin, end);
  if (packed && known == end && same_bytes(boxes.as_boxes() + begin, boxes_.data() + begin, end - begin))
    return {};
  Changes changes;
  for (std::size_t id = begin; id < end; ++id) {
    const Box<Dim> box = boxes[id];
    const bool changed = id >= known || !same_bytes(box, boxes_[id]);
    changes.bits |= std::uint64_t{changed} << (id - begin);
    changes.legal &= is_legal(box);
  }
  return changes;
}

template <int Dim>
void MotionTracker<Dim>::observe(BoxesView<Dim> boxes, float margin, bool renew, Executor& executor) {
  const std::size_t blocks = (boxes.size() + kBlock - 1) / kBlock;
  const auto for_blocks = [&](auto visit) {
    parallel_for(executor, blocks, kGrain, [&](std::size_t first, std::size_t last, std::size_t worker) {
      for (std::size_t block = first; block < last; ++block)
        visit(block, block * kBlock, std::min(boxes.size(), (block + 1) * kBlock), worker);
    });
  };

  std::vector<Count> counts(executor.workers());
  changed_.resize(blocks);
  for_blocks([&](std::size_t block, std::size_t begin, std::size_t end, std::size_t worker) {
    const Changes found = changes(boxes, begin, end);
    changed_[block] = found.bits;
    counts[worker].legal &= found.legal;
  });
  // What has not changed is legal.
  for (const Count& count : counts)
    if (!count.legal) require_valid(boxes, executor);

  boxes_.reserve(boxes.size());
  hulls_.reserve(boxes.size());
  motions_.resize(std::max(motions_.size(), boxes.size()));
  const std::size_t known = hulls_.size();
  boxes_.resize(boxes.size());
  hulls_.resize(boxes.size());
  for (std::size_t id = known; id < boxes.size(); ++id) hulls_[id] = nothing<Dim>();
  const auto present = motions_.begin() + static_cast<std::ptrdiff_t>(boxes.size());
  if (all_known_) std::fill(motions_.begin(), present, Motion::none);
  std::fill(present, motions_.end(), Motion::moved);
  margin_ = margin;
  still_ &= present == motions_.end();
  all_known_ = false;

  for_blocks([&](std::size_t block, std::size_t begin, std::size_t end, std::size_t worker) {
    if (renew) changed_[block] = ~std::uint64_t{0} >> (kBlock - (end - begin));
    if (changed_[block] == 0) return;
    copy(boxes, begin, end);
    observe_changed(begin, changed_[block], renew, counts[worker]);
  });
  for (const Count& count : counts) {
    moved_ += count.moved;
    still_ &= count.still;
  }
}

template <int Dim>
void MotionTracker<Dim>::copy(BoxesView<Dim> boxes, std::size_t begin, std::size_t end) {
  if (is_packed(boxes))
    std::memcpy(boxes_.data() + begin, boxes.as_boxes() + begin, (end - begin) * sizeof(Box<Dim>));
  else
    for (std::size_t id = begin; id < end; ++id) boxes_[id] = boxes[id];
}

template <int Dim>
void MotionTracker<Dim>::observe_changed(std::size_t begin, std::uint64_t bits, bool renew, Count& count) {
  const Box<Dim>* boxes = boxes_.data() + begin;
  Box<Dim>* hulls = hulls_.data() + begin;
  Motion* motions = motions_.data() + begin;
  const float margin = margin_;
  std::size_t newly_moved = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::size_t i = static_cast<std::size_t>(std::countr_zero(bits));
    const bool moved = renew || !rests(boxes[i], hulls[i], margin);
    if (moved) set_hull(boxes[i], margin, hulls[i]);
    newly_moved += moved & (motions[i] != Motion::moved);
    motions[i] = std::max(motions[i], moved ? Motion::moved : Motion::trembled);
  }
  count.moved += newly_moved;
  count.still = false;
}

template <int Dim>
void MotionTracker<Dim>::searched() {
  motions_.resize(hulls_.size());
  all_known_ = still_ = true;
  moved_ = 0;
}

template <int Dim>
std::size_t MotionTracker<Dim>::memory_bytes() const {
  return boxes_.memory_bytes() + hulls_.memory_bytes() + motions_.capacity() +
         changed_.capacity() * sizeof(std::uint64_t);
}

template class MotionTracker<2>;
template class MotionTracker<3>;

}  // namespace winnow::kdtree_sweep
