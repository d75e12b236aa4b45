#include "methods/kdtree_sweep/rest.hpp"

#include <cstring>

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

}  // namespace

template <int Dim>
void Rest<Dim>::clear() {
  boxes_.clear();
  hulls_.clear();
  motions_.clear();
  fresh_ = still_ = true;
  moved_ = 0;
}

template <int Dim>
bool Rest<Dim>::same(BoxesView<Dim> boxes, std::size_t begin, std::size_t end) const {
  if (end > boxes_.size()) return false;
  if (boxes.as_boxes() != nullptr && boxes.stride_bytes() == sizeof(Box<Dim>))
    return std::memcmp(boxes.as_boxes() + begin, boxes_.data() + begin, (end - begin) * sizeof(Box<Dim>)) ==
           0;
  bool equal = true;
  for (std::size_t id = begin; id < end; ++id) equal &= boxes[id] == boxes_[id];
  return equal;
}

template <int Dim>
void Rest<Dim>::observe(BoxesView<Dim> boxes, float margin, bool renew, Executor& executor) {
  const std::size_t blocks = (boxes.size() + kBlock - 1) / kBlock;
  const auto for_blocks = [&](auto visit) {
    parallel_for(executor, blocks, kGrain, [&](std::size_t first, std::size_t last, std::size_t worker) {
      for (std::size_t block = first; block < last; ++block)
        visit(block, block * kBlock, std::min(boxes.size(), (block + 1) * kBlock), worker);
    });
  };

  changed_.resize(blocks);
  for_blocks([&](std::size_t block, std::size_t begin, std::size_t end, std::size_t) {
    changed_[block] = !same(boxes, begin, end);
  });
  // What is as it was is good.
  if (std::ranges::count(changed_, 1) != 0) require_valid(boxes, executor);

  std::vector<Count> counts(executor.workers());
  const std::size_t known = hulls_.size();
  boxes_.reserve(boxes.size());
  hulls_.reserve(boxes.size());
  motions_.resize(std::max(motions_.size(), boxes.size()));
  boxes_.resize(boxes.size());
  hulls_.resize(boxes.size());
  for (std::size_t id = known; id < boxes.size(); ++id) boxes_[id] = hulls_[id] = nothing<Dim>();
  std::fill(motions_.begin() + static_cast<std::ptrdiff_t>(boxes.size()), motions_.end(), Motion::moved);
  margin_ = margin;

  for_blocks([&](std::size_t block, std::size_t begin, std::size_t end, std::size_t worker) {
    if (changed_[block] || renew || !fresh_)
      observe_block(boxes, begin, end, renew, counts[worker]);
    else
      std::fill(motions_.begin() + static_cast<std::ptrdiff_t>(begin),
                motions_.begin() + static_cast<std::ptrdiff_t>(end), Motion::none);
  });
  moved_ = 0;
  still_ = motions_.size() == boxes.size();
  for (const Count& count : counts) {
    moved_ += count.moved;
    still_ &= count.still;
  }
  fresh_ = false;
}

template <int Dim>
void Rest<Dim>::observe_block(BoxesView<Dim> boxes, std::size_t begin, std::size_t end, bool renew,
                              Count& count) {
  for (std::size_t id = begin; id < end; ++id) {
    const Box<Dim> box = boxes[id];
    const bool moved = renew || !rests(box, hulls_[id], margin_);
    if (moved) hulls_[id] = hull_of(box, margin_);
    const Motion motion = moved ? Motion::moved : box == boxes_[id] ? Motion::none : Motion::trembled;
    boxes_[id] = box;
    motions_[id] = fresh_ ? motion : std::max(motion, motions_[id]);
    count.moved += motions_[id] == Motion::moved;
    count.still &= motions_[id] == Motion::none;
  }
}

template <int Dim>
void Rest<Dim>::searched() {
  motions_.resize(hulls_.size());
  fresh_ = still_ = true;
  moved_ = 0;
}

template <int Dim>
std::size_t Rest<Dim>::memory_bytes() const {
  return boxes_.memory_bytes() + hulls_.memory_bytes() + motions_.capacity() + changed_.capacity();
}

template class Rest<2>;
template class Rest<3>;

}  // namespace winnow::kdtree_sweep
