// What sweep_persistent keeps from call to call.
#pragma once

#include <array>
#include <vector>

#include "algo/sorted_boxes.hpp"
#include "methods/sweep_persistent/end_points.hpp"
#include "methods/sweep_persistent/pair_set.hpp"
#include "winnow/methods/sweep_persistent.hpp"

namespace winnow {

template <int Dim>
struct SweepPersistent<Dim>::State {
  // ---- frames (sweep_persistent.cpp)
  bool follow(BoxesView<Dim> frame, Executor& executor);
  void restart(BoxesView<Dim> frame, Executor& executor);
  bool wake(Executor& executor, std::size_t most_pairs);
  void give_up();
  std::uint64_t budget() const;
  void flag_moved(BoxesView<Dim> frame, Executor& executor);
  bool changes_are_good(BoxesView<Dim> frame) const;
  bool refresh_axes(BoxesView<Dim> frame, Executor& executor);
  void collect_begun(BoxesView<Dim> frame);
  void commit(BoxesView<Dim> frame);
  void sort(Executor& executor);

  // ---- boxes one by one (sweep_persistent_boxes.cpp)
  void begin_operation();
  void require_id(std::uint32_t id) const;

  BoxesView<Dim> view() const { return {boxes.data(), boxes.size()}; }
  std::size_t memory_bytes() const;

  Buffer<Box<Dim>> boxes;               // of the last frame; free ids hold empty boxes
  std::vector<std::uint32_t> free_ids;  // left by remove

  // While live: end points and pairs are those of `boxes`. Else pairs are found by a fresh sweep.
  bool live = false;
  persistent::Grid<Dim> grid;
  std::vector<persistent::AxisEndPoints<Dim>> axes;
  PairSet pairs;
  SortedBoxes<Dim> sorted;
  bool sorted_is_current = false;

  // When to try again after the order was lost: twice as many frames each time.
  std::size_t frames_to_wait = 1;
  std::size_t last_wait = 1;

  persistent::Flags moved;
  std::size_t moved_count = 0;
  std::array<Buffer<Pair>, Dim> came_near;  // on each axis: may have begun to overlap
  Buffer<Pair> begun;
  Buffer<Pair> ended;
  std::uint64_t tested = 0;        // pairs of boxes compared by the last sweep
  std::uint64_t passed = 0;        // end points passed in the last frame
  std::uint64_t fresh_sweeps = 0;  // frames in which the order was not followed
};

}  // namespace winnow
