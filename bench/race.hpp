// Candidates against each other on the same frames: each frame goes to all of them, in a new order every
// time, and every result is compared with the reference's before its time counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/contender.hpp"
#include "bench/timing.hpp"
#include "winnow/pair.hpp"

namespace winnow::bench {

struct RaceOptions {
  std::size_t threads = 1;
  std::size_t warmup = 2;       // frames given to all before timing starts
  std::size_t frames = 20;      // timed
  std::size_t repeats = 1;      // of the whole run, each with new contenders
  double slowest_seconds = 10;  // who needs longer for a frame is not asked again
};

// Times in ms, one per timed frame and repeat. The total is update and search; the filter that a peer with
// enlarged boxes needs is kept apart.
struct PhaseTimes {
  std::vector<double> update, search, filter, total;
};

struct Result {
  ContenderInfo info;
  bool exact = true;       // every timed frame had the reference's pairs
  std::string fault = {};  // why it was not timed, or not to the end; empty if all went well
  PhaseTimes ms = {};
  PairDigest digest = {};        // over the timed frames of one repeat
  std::uint64_t candidates = 0;  // as above
  std::size_t memory_bytes = 0;
};

struct RaceReport {
  std::size_t objects = 0;
  std::size_t frames = 0;  // timed in each repeat: fewer than asked for when the scene ended or was stopped
  PairDigest digest;       // the reference's, over those frames
  std::vector<Result> results;  // in the order of the entries
  double floor_ms() const;      // the fastest frame of each floor, all together; 0 without floors

  const Result& result(const std::string& name) const;  // throws Error when there is none
};

// Opens the scene anew for each repeat; a frame source fills in the next frame and is false at the end.
using FrameSource = std::function<bool(std::vector<Box3>& boxes)>;
using SceneOpener = std::function<FrameSource()>;

// Called after every frame; false stops the race, and what was measured stays.
using OnFrame = std::function<bool(std::size_t frames_done, std::size_t frames_in_all)>;

RaceReport race(const std::vector<ContenderEntry>& entries, const SceneOpener& open,
                const RaceOptions& options, const OnFrame& on_frame = {});

}  // namespace winnow::bench
