#include "bench/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <random>

#include "winnow/error.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

// One contender in one repeat.
struct Runner {
  std::unique_ptr<Contender> contender;
  CollectSink pairs;
  Result* result = nullptr;

  bool running() const { return contender != nullptr; }
  void retire(std::string why) {
    if (result->fault.empty()) result->fault = std::move(why);
    contender.reset();
  }
};

PairDigest digest_of(const CollectSink& pairs) {
  PairDigest digest;
  for (std::size_t i = 0; i < pairs.parts(); ++i) digest.add(pairs.part(i));
  return digest;
}

// The pairs that count as true: by brute force where it is bearable, else by the default method.
class Reference {
 public:
  explicit Reference(std::size_t objects)
      : method_(make_method<3>(objects <= 20000 ? "brute_force" : default_method())) {}

  PairDigest digest(std::span<const Box3> boxes) {
    method_.update(boxes, *executor_);
    method_.find_pairs(*executor_, sink_);
    return sink_.digest();
  }

 private:
  AnyMethod<3> method_;
  std::unique_ptr<Executor> executor_ = make_executor(1);
  DigestSink sink_;
};

struct FrameTimes {
  double update, search, filter;
  double seconds() const { return (update + search + filter) / 1000; }
};

FrameTimes run_frame(Runner& runner, std::span<const Box3> boxes) {
  FrameTimes ms;
  Stopwatch watch;
  runner.contender->update(boxes);
  ms.update = watch.lap_ms();
  runner.contender->find_pairs(runner.pairs);
  ms.search = watch.lap_ms();
  if (runner.result->info.enlarges) runner.contender->filter_pairs(boxes, runner.pairs);
  ms.filter = watch.lap_ms();
  return ms;
}

void record(Result& result, const FrameTimes& ms) {
  result.ms.update.push_back(ms.update);
  result.ms.search.push_back(ms.search);
  if (result.info.enlarges) result.ms.filter.push_back(ms.filter);
  result.ms.total.push_back(ms.update + ms.search);
}

// A frame of one contender: run, compare, and only then record.
void take_turn(Runner& runner, std::span<const Box3> boxes, const PairDigest& truth, std::size_t frame,
               bool timed, bool first_repeat, double slowest_seconds) try {
  runner.contender->expect(truth.count);
  const FrameTimes ms = run_frame(runner, boxes);
  Result& result = *runner.result;
  if (timed && result.info.kind != "floor") {
    const PairDigest digest = digest_of(runner.pairs);
    if (digest != truth) {
      result.exact = false;
      result.ms = {};
      return runner.retire(fmt::format("WRONG in frame {}: {} pairs, digest {}; right are {}, {}", frame,
                                       digest.count, digest.hex(), truth.count, truth.hex()));
    }
    if (first_repeat) {
      result.digest.add(digest);
      result.candidates += runner.contender->candidates();
    }
  }
  if (timed) {
    record(result, ms);
    result.memory_bytes = std::max(result.memory_bytes, runner.contender->memory_bytes());
  }
  if (ms.seconds() > slowest_seconds)
    runner.retire(fmt::format("too slow: {:.1f} s for frame {}", ms.seconds(), frame));
} catch (const std::exception& error) {
  runner.retire(fmt::format("failed in frame {}: {}", frame, error.what()));
}

std::vector<Runner> make_runners(const std::vector<ContenderEntry>& entries, std::vector<Result>& results,
                                 std::size_t objects, std::size_t threads) {
  std::vector<Runner> runners(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ContenderInfo& info = entries[i].info;
    runners[i].result = &results[i];
    if (info.max_objects != 0 && objects > info.max_objects)
      runners[i].retire(fmt::format("not run beyond {} objects", info.max_objects));
    else if (threads > 1 && !info.parallel)
      runners[i].retire("works on one thread only");
    else if (results[i].fault.empty())
      runners[i].contender = entries[i].make(threads);
  }
  return runners;
}

}  // namespace

double RaceReport::floor_ms() const {
  double sum = 0;
  for (const Result& r : results)
    if (r.info.kind == "floor") sum += summarise(r.ms.total).min;
  return sum;
}

const Result& RaceReport::result(const std::string& name) const {
  for (const Result& r : results)
    if (r.info.name == name) return r;
  throw Error("baseline", "baseline: '" + name + "' is not among the contenders");
}

RaceReport race(const std::vector<ContenderEntry>& entries, const SceneOpener& open,
                const RaceOptions& options, const OnFrame& on_frame) {
  RaceReport report;
  for (const ContenderEntry& entry : entries) report.results.push_back({.info = entry.info});
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  const std::size_t frames_a_repeat = options.warmup + options.frames;
  bool go_on = true;

  for (std::size_t repeat = 0; repeat < options.repeats && go_on; ++repeat) {
    const FrameSource next = open();
    std::vector<Box3> boxes;
    std::vector<Runner> runners;
    std::unique_ptr<Reference> reference;
    for (std::size_t frame = 0; frame < frames_a_repeat && go_on && next(boxes); ++frame) {
      if (frame == 0) {
        report.objects = boxes.size();
        runners = make_runners(entries, report.results, boxes.size(), options.threads);
        reference = std::make_unique<Reference>(boxes.size());
      }
      const bool timed = frame >= options.warmup;
      const PairDigest truth = reference->digest(boxes);
      std::ranges::shuffle(order, random);
      for (const std::size_t i : order)
        if (runners[i].running())
          take_turn(runners[i], boxes, truth, frame, timed, repeat == 0, options.slowest_seconds);
      if (timed && repeat == 0) {
        report.digest.add(truth);
        ++report.frames;
      }
      if (on_frame) go_on = on_frame(repeat * frames_a_repeat + frame + 1, options.repeats * frames_a_repeat);
    }
  }
  return report;
}

}  // namespace winnow::bench
