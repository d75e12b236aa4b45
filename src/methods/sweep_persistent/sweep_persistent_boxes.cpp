// sweep_persistent, boxes one by one: the classical algorithm, in which pairs begin and end as end points
// pass each other.
#include <limits>

#include "methods/sweep_persistent/state.hpp"
#include "winnow/error.hpp"
#include "winnow/validate.hpp"

namespace winnow {
namespace {

// What a free id holds: overlaps nothing.
template <int Dim>
Box<Dim> empty_box() {
  Box<Dim> box;
  box.lo.fill(std::numeric_limits<float>::infinity());
  box.hi.fill(-std::numeric_limits<float>::infinity());
  return box;
}

template <int Dim>
void require_good(const Box<Dim>& box) {
  SerialExecutor serial;
  require_valid(BoxesView<Dim>(&box, 1), serial);
}

// Appends the pairs of `box`, known as `id`, with all others.
template <int Dim>
void append_pairs_of(std::uint32_t id, const Box<Dim>& box, const Buffer<Box<Dim>>& boxes,
                     Buffer<Pair>& pairs) {
  for (std::size_t other = 0; other < boxes.size(); ++other)
    if (other != id && overlaps(box, boxes[other]))
      pairs.push_back(ordered_pair(id, static_cast<std::uint32_t>(other)));
}

}  // namespace

template <int Dim>
void SweepPersistent<Dim>::State::begin_operation() {
  begun.clear();
  ended.clear();
  SerialExecutor serial;
  if (!live) wake(serial, std::numeric_limits<std::size_t>::max());
}

template <int Dim>
void SweepPersistent<Dim>::State::require_id(std::uint32_t id) const {
  if (id >= boxes.size() || boxes[id] == empty_box<Dim>())
    throw Error("id", "id: there is no box " + std::to_string(id), id);
}

template <int Dim>
std::uint32_t SweepPersistent<Dim>::insert(const Box<Dim>& box) {
  State& state = *state_;
  require_good(box);
  if (state.free_ids.empty() && state.boxes.size() == persistent::kMostBoxes)
    throw Error("box", "box: sweep_persistent takes at most 2^31");
  state.begin_operation();
  const bool reuse = !state.free_ids.empty();
  const std::uint32_t id = reuse ? state.free_ids.back() : static_cast<std::uint32_t>(state.boxes.size());
  append_pairs_of(id, box, state.boxes, state.begun);
  state.pairs.reserve(state.pairs.size() + state.begun.size());
  state.boxes.reserve(state.boxes.size() + 1);
  for (auto& axis : state.axes) axis.reserve(state.boxes.size() + 1);
  // From here on nothing fails.
  if (reuse)
    state.free_ids.pop_back();
  else
    state.boxes.resize(state.boxes.size() + 1);
  state.boxes[id] = box;
  for (auto& axis : state.axes) axis.insert(id, box, state.grid);
  for (const Pair pair : state.begun) state.pairs.insert(pair);
  state.sorted_is_current = false;
  return id;
}

template <int Dim>
void SweepPersistent<Dim>::remove(std::uint32_t id) {
  State& state = *state_;
  state.require_id(id);
  state.begin_operation();
  append_pairs_of(id, state.boxes[id], state.boxes, state.ended);
  state.free_ids.push_back(id);
  for (auto& axis : state.axes) axis.remove(id, state.boxes[id]);
  for (const Pair pair : state.ended) state.pairs.erase(pair);
  state.boxes[id] = empty_box<Dim>();
  state.sorted_is_current = false;
}

template <int Dim>
void SweepPersistent<Dim>::move(std::uint32_t id, const Box<Dim>& box) {
  State& state = *state_;
  state.require_id(id);
  require_good(box);
  state.begin_operation();
  state.sorted_is_current = false;
  const Box<Dim> old_box = state.boxes[id];
  state.live = false;  // should memory fail on the way, a fresh sweep of the old boxes takes over
  for (int axis = 0; axis < Dim; ++axis) {
    const std::uint64_t old_summary = state.grid.summary(old_box, axis);
    const std::uint64_t new_summary = state.grid.summary(box, axis);
    state.axes[axis].move(id, old_box, box, state.grid,
                          [&](std::uint32_t other, bool begins, std::uint64_t summary) {
                            if (!persistent::summaries_overlap(begins ? new_summary : old_summary, summary))
                              return;
                            if (!overlaps(begins ? box : old_box, state.boxes[other])) return;
                            const Pair pair = ordered_pair(id, other);
                            // The set tells whether an earlier axis has reported it.
                            if (begins ? state.pairs.insert(pair) : state.pairs.erase(pair))
                              (begins ? state.begun : state.ended).push_back(pair);
                          });
  }
  state.boxes[id] = box;
  state.live = true;
}

template <int Dim>
std::size_t SweepPersistent<Dim>::size() const {
  return state_->boxes.size() - state_->free_ids.size();
}

template <int Dim>
std::span<const Pair> SweepPersistent<Dim>::begun() const {
  return {state_->begun.data(), state_->begun.size()};
}

template <int Dim>
std::span<const Pair> SweepPersistent<Dim>::ended() const {
  return {state_->ended.data(), state_->ended.size()};
}

template class SweepPersistent<2>;
template class SweepPersistent<3>;

}  // namespace winnow
