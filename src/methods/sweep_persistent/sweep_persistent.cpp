// Sweep and prune with persistent lists: Baraff 1992; Cohen, Lin, Manocha, Ponamgi 1995 (I-COLLIDE); "S&P" in
// Poirrier's comparison. 1 flag the boxes that moved  2 on each axis take their end points out, give them
// their new bounds, sort them by insertion and merge them back  3 where a lower bound passes an upper one a
// pair may have begun  4 pairs of moved boxes that no longer overlap have ended  5 the pairs that are kept
// are the result.
//
// Differs: - An end point carries a coarse summary of its box on the other axes, so that nearly all passed
//   boxes are dismissed without a look at them; and it looks at them only when it widens its box.
// - Ends are found among the kept pairs, which are walked for output anyway, not by crossings.
// - The three axes run at the same time.
// - Work is bounded: when more end points are passed than a fresh sweep would cost, the order counts as
//   decayed, and frames are swept from scratch until it is tried again, after twice as many frames each time.
#include "winnow/methods/sweep_persistent.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "algo/variance.hpp"
#include "methods/sweep_persistent/state.hpp"
#include "winnow/error.hpp"
#include "winnow/validate.hpp"

namespace winnow {
namespace {

constexpr std::size_t kMostWait = 64;         // frames between attempts to follow a scene
constexpr std::size_t kFewChanges = 16;       // boxes that come or go in a frame without a fresh start
constexpr std::size_t kMostPairsPerBox = 64;  // beyond it keeping pairs costs more than finding them
constexpr std::size_t kGrain = 4096;

// The caller's boxes where they lie as Box does, else nullptr: compared byte by byte.
template <int Dim>
bool same_box(BoxesView<Dim> frame, const Box<Dim>* array, std::size_t i, const Box<Dim>& box) {
  if (array != nullptr)
    return std::memcmp(reinterpret_cast<const std::byte*>(array) + i * frame.stride_bytes(), &box,
                       sizeof(box)) == 0;
  return frame[i] == box;
}

// The first axis on which the boxes are apart; Dim if they overlap.
template <int Dim>
int first_axis_apart(const Box<Dim>& a, const Box<Dim>& b) {
  int axis = 0;
  while (axis < Dim && a.lo[axis] <= b.hi[axis] && b.lo[axis] <= a.hi[axis]) ++axis;
  return axis;
}

}  // namespace

template <int Dim>
SweepPersistent<Dim>::SweepPersistent(const Options&) : state_(std::make_unique<State>()) {
  for (int axis = 0; axis < Dim; ++axis) state_->axes.emplace_back(axis);
}
template <int Dim>
SweepPersistent<Dim>::~SweepPersistent() = default;
template <int Dim>
SweepPersistent<Dim>::SweepPersistent(SweepPersistent&&) noexcept = default;
template <int Dim>
SweepPersistent<Dim>& SweepPersistent<Dim>::operator=(SweepPersistent&&) noexcept = default;

template <int Dim>
MethodInfo SweepPersistent<Dim>::info() {
  return {.name = "sweep_persistent",
          .summary = "keeps sorted end points and pairs from frame to frame; for scenes mostly at rest",
          .paper = "Baraff 1992; Cohen, Lin, Manocha, Ponamgi 1995",
          .keeps_state = true};
}

template <int Dim>
void SweepPersistent<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  State& state = *state_;
  if (boxes.size() > persistent::kMostBoxes)
    throw Error("boxes", "boxes: sweep_persistent takes at most 2^31, got " + std::to_string(boxes.size()));
  if (state.live) state.flag_moved(boxes, executor);
  if (!state.live || !state.changes_are_good(boxes)) require_valid(boxes, executor);
  if (!state.follow(boxes, executor)) state.restart(boxes, executor);
  state.begun.clear();
  state.ended.clear();
}

// Boxes that have not moved were good in the last frame.
template <int Dim>
bool SweepPersistent<Dim>::State::changes_are_good(BoxesView<Dim> frame) const {
  SerialExecutor serial;
  const auto good = [&](std::size_t i) {
    const Box<Dim> box = frame[i];
    return !first_bad_box(BoxesView<Dim>(&box, 1), serial);
  };
  for (std::size_t i = boxes.size(); i < frame.size(); ++i)
    if (!good(i)) return false;
  return moved.all_of(good);
}

// Brings a live state to the next frame. False if it was not live or its order has decayed. Until the commit,
// which cannot fail, `boxes` stay those of the last frame: an error leaves its pairs to a fresh sweep.
template <int Dim>
bool SweepPersistent<Dim>::State::follow(BoxesView<Dim> frame, Executor& executor) {
  if (!live) return false;
  live = false;
  const std::size_t n = frame.size();
  const std::size_t changes = n > boxes.size() ? n - boxes.size() : boxes.size() - n;
  if (!free_ids.empty() || changes > kFewChanges || !refresh_axes(frame, executor)) {
    give_up();
    return false;
  }
  collect_begun(frame);
  pairs.reserve(pairs.size() + begun.size());
  boxes.reserve(n);
  for (auto& axis : axes) axis.reserve(std::max(n, boxes.size()));
  commit(frame);
  live = true;
  sorted_is_current = false;
  last_wait = 1;
  return true;
}

template <int Dim>
void SweepPersistent<Dim>::State::give_up() {
  last_wait = std::min(2 * last_wait, kMostWait);
  frames_to_wait = last_wait;
}

// A fresh sweep of the frame; now and then it becomes the start of a followed one.
template <int Dim>
void SweepPersistent<Dim>::State::restart(BoxesView<Dim> frame, Executor& executor) {
  boxes.reserve(frame.size());
  sorted.assign(frame, axis_of_greatest_variance(frame, executor), executor);
  sorted_is_current = true;
  boxes.resize(frame.size());
  parallel_for(executor, frame.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) boxes[i] = frame[i];
  });
  free_ids.clear();
  ++fresh_sweeps;
  if (frames_to_wait > 0)
    --frames_to_wait;
  else if (!wake(executor, kMostPairsPerBox * boxes.size()))
    give_up();
}

// Makes the state live: sorts all end points, finds all pairs. False if there are more than `most_pairs`.
template <int Dim>
bool SweepPersistent<Dim>::State::wake(Executor& executor, std::size_t most_pairs) {
  if (!sorted_is_current) sort(executor);
  const SortedRun<Dim> run = sorted.run();
  // Rows are swept in portions that yield at most as many pairs as there may be: no run-away memory.
  const std::size_t rows =
      std::max<std::size_t>(1, std::min<std::size_t>(most_pairs / (boxes.size() + 1), 1024));
  std::atomic<std::size_t> found = 0;
  std::atomic<std::uint64_t> compared = 0;
  CollectSink sink;
  sink.open(executor.workers());
  parallel_for(executor, run.end, rows, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    for (std::size_t from = begin; from < end && found <= most_pairs; from += rows) {
      const std::size_t before = sink.part(worker).size();
      compared += sweep_run<Dim>({run.columns, run.ids, from, run.end}, std::min(end, from + rows),
                                 sink.writer(worker));
      found += sink.part(worker).size() - before;
    }
  });
  if (found > most_pairs) return false;
  tested = compared;
  pairs.clear();
  pairs.reserve(found);
  for (std::size_t i = 0; i < sink.parts(); ++i)
    for (const Pair pair : sink.part(i)) pairs.insert(pair);
  grid = persistent::Grid<Dim>(view());
  for (auto& axis : axes) axis.build(view(), grid, executor);
  live = true;
  return true;
}

template <int Dim>
void SweepPersistent<Dim>::State::sort(Executor& executor) {
  sorted.assign(view(), axis_of_greatest_variance(view(), executor), executor);
  sorted_is_current = true;
}

// End points that may be passed before the order counts as decayed: what costs about half as much as a sweep.
// Passing one costs about as much as ten of a sweep's tests, sorting and gathering a box as much as 500.
template <int Dim>
std::uint64_t SweepPersistent<Dim>::State::budget() const {
  return tested / 20 + 25 * static_cast<std::uint64_t>(boxes.size());
}

template <int Dim>
void SweepPersistent<Dim>::State::flag_moved(BoxesView<Dim> frame, Executor& executor) {
  const std::size_t common = std::min(frame.size(), boxes.size());
  const Box<Dim>* array = frame.as_boxes();
  moved.reset(std::max(frame.size(), boxes.size()));
  std::atomic<std::size_t> count = 0;
  parallel_for(executor, (common + 63) / 64, kGrain / 64,
               [&](std::size_t begin, std::size_t end, std::size_t) {
                 std::size_t count_here = 0;
                 for (std::size_t w = begin; w < end; ++w) {
                   std::uint64_t word = 0;
                   for (std::size_t i = 64 * w; i < std::min(common, 64 * w + 64); ++i)
                     word |= std::uint64_t{!same_box(frame, array, i, boxes[i])} << (i % 64);
                   moved.word(w) = word;
                   count_here += static_cast<std::size_t>(std::popcount(word));
                 }
                 count += count_here;
               });
  moved_count = count;
}

template <int Dim>
bool SweepPersistent<Dim>::State::refresh_axes(BoxesView<Dim> frame, Executor& executor) {
  passed = 0;
  for (auto& pairs_of_axis : came_near) pairs_of_axis.clear();
  if (moved_count == 0) return true;
  std::atomic<bool> kept = true;
  parallel_for(executor, Dim, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t axis = begin; axis < end && kept; ++axis)
      if (!axes[axis].refresh(frame, moved, grid, budget() / Dim, came_near[axis])) kept = false;
  });
  for (const auto& axis : axes) passed += axis.passed();
  return kept;
}

// Pairs that overlap now and did not before, each once: a pair that comes near on several axes counts on the
// first on which it was apart.
template <int Dim>
void SweepPersistent<Dim>::State::collect_begun(BoxesView<Dim> frame) {
  begun.clear();
  for (int axis = 0; axis < Dim; ++axis)
    for (const Pair pair : came_near[axis])
      if (pair.b < frame.size() && overlaps(frame[pair.a], frame[pair.b]) &&
          first_axis_apart(boxes[pair.a], boxes[pair.b]) == axis)
        begun.push_back(pair);
  for (std::size_t b = boxes.size(); b < frame.size(); ++b) {
    const Box<Dim> added = frame[b];
    for (std::size_t a = 0; a < b; ++a)
      if (overlaps(frame[a], added))
        begun.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
  }
}

// All memory it needs has been had.
template <int Dim>
void SweepPersistent<Dim>::State::commit(BoxesView<Dim> frame) {
  const std::size_t n = frame.size(), old_n = boxes.size();
  for (std::size_t id = n; id < old_n; ++id)
    for (auto& axis : axes) axis.remove(static_cast<std::uint32_t>(id), boxes[id]);
  for (std::size_t id = old_n; id < n; ++id)
    for (auto& axis : axes) axis.insert(static_cast<std::uint32_t>(id), frame[id], grid);

  if (moved_count != 0 || n < old_n) {
    for (std::size_t i = pairs.size(); i-- > 0;) {  // backwards: the last pair takes an erased one's place
      const Pair pair = pairs.pairs()[i];
      const bool gone =
          pair.b >= n || ((moved[pair.a] || moved[pair.b]) && !overlaps(frame[pair.a], frame[pair.b]));
      if (gone) pairs.erase(pair);
    }
  }
  for (const Pair pair : begun) pairs.insert(pair);

  boxes.resize(n);
  moved.all_of([&](std::size_t i) {
    boxes[i] = frame[i];
    return true;
  });
  for (std::size_t id = old_n; id < n; ++id) boxes[id] = frame[id];
}

template <int Dim>
void SweepPersistent<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  State& state = *state_;
  if (!state.live) {
    if (!state.sorted_is_current) state.sort(executor);
    state.tested = sweep_parallel(state.sorted.run(), executor, sink);
    return;
  }
  parallel_for(executor, state.pairs.size(), kGrain,
               [&](std::size_t begin, std::size_t end, std::size_t worker) {
                 for (std::size_t from = begin; from < end; from += kGrain) {
                   const auto block = state.pairs.pairs().subspan(from, std::min(kGrain, end - from));
                   PairWriter& writer = sink.writer(worker);
                   writer.commit(std::ranges::copy(block, writer.reserve(block.size())).out);
                 }
               });
}

template <int Dim>
std::size_t SweepPersistent<Dim>::State::memory_bytes() const {
  std::size_t bytes = boxes.memory_bytes() + pairs.memory_bytes() + sorted.memory_bytes() +
                      moved.memory_bytes() + begun.memory_bytes() + ended.memory_bytes();
  for (const auto& axis : axes) bytes += axis.memory_bytes();
  for (const auto& pairs_of_axis : came_near) bytes += pairs_of_axis.memory_bytes();
  return bytes;
}

template <int Dim>
MethodStats SweepPersistent<Dim>::stats() const {
  const State& state = *state_;
  return {.candidates = state.live ? state.passed : state.tested,
          .memory_bytes = state.memory_bytes(),
          .details = {{"followed", state.live ? std::string("yes") : std::string("no")},
                      {"moved", static_cast<double>(state.moved_count)},
                      {"passed", static_cast<double>(state.passed)},
                      {"fresh_sweeps", static_cast<double>(state.fresh_sweeps)}}};
}

template class SweepPersistent<2>;
template class SweepPersistent<3>;

}  // namespace winnow
