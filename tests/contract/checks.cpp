#include "contract/checks.hpp"

#include <exception>
#include <limits>
#include <memory>

#include "contract/float_mode.hpp"
#include "support/compare.hpp"
#include "support/generators.hpp"
#include "support/oracle.hpp"
#include "support/thread_executor.hpp"
#include "winnow/error.hpp"
#include "winnow/filter.hpp"
#include "winnow/simd.hpp"

namespace winnow::test {
namespace {

constexpr std::size_t kMostPairs = 60'000;  // larger layouts with more of them cost too much time

struct NamedExecutor {
  std::string name;
  std::unique_ptr<Executor> executor;
};

// oneTBB is not instrumented for the thread sanitizer; builds with it have none, and plain threads remain.
std::vector<NamedExecutor> executors_with(std::size_t threads) {
  std::vector<NamedExecutor> all;
  const std::string count = std::to_string(threads);
  if (threads == 1 && kThreadSanitized) return all;  // no races there
  try {
    all.push_back({threads == 1 ? "serial" : count + " threads of oneTBB", make_executor(threads)});
  } catch (const Error&) {
  }
  if (threads > 1) all.push_back({count + " plain threads", std::make_unique<ThreadExecutor>(threads)});
  return all;
}

// The level is the process's: it is put back whatever happens.
class LevelInForce {
 public:
  explicit LevelInForce(SimdLevel level) : before_(simd_level()) { set_simd_level(level); }
  ~LevelInForce() { set_simd_level(before_); }

 private:
  SimdLevel before_;
};

template <int Dim>
struct Case {
  std::string name;
  BoxList<Dim> boxes;
  std::vector<Pair> expected;
};

template <int Dim>
Case<Dim> make_case(const Layout<Dim>& layout, std::size_t n, std::uint64_t seed) {
  Random random(seed * 1000 + n);
  Case<Dim> made{layout.name + " n=" + std::to_string(n) + " seed=" + std::to_string(seed), {}, {}};
  made.boxes = layout.make(n, random);
  made.expected = oracle_pairs(made.boxes);
  return made;
}

template <int Dim>
std::vector<Case<Dim>> cases(std::span<const std::size_t> sizes, std::size_t seeds) {
  std::vector<Case<Dim>> all;
  for (const Layout<Dim>& layout : layouts<Dim>())
    for (const std::size_t n : sizes)
      for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        if (auto made = make_case<Dim>(layout, n, seed); n < 200 || made.expected.size() < kMostPairs)
          all.push_back(std::move(made));
  return all;
}

template <int Dim>
std::vector<Pair> pairs_of(AnyMethod<Dim>& method, Executor& executor) {
  CollectSink sink;
  method.find_pairs(executor, sink);
  SerialExecutor serial;
  return sink.join(serial);
}

template <int Dim>
std::vector<Pair> pairs_of(AnyMethod<Dim>& method, BoxesView<Dim> boxes, Executor& executor) {
  method.update(boxes, executor);
  return pairs_of(method, executor);
}

// Runs `pairs()` and compares what it gives. Nothing but pairs may come of it.
template <class Pairs>
void expect_pairs(const std::vector<Pair>& expected, Failures& failures, const std::string& where,
                  Pairs pairs) {
  try {
    const std::string what = difference(expected, pairs());
    if (!what.empty()) failures.add(where + ": " + what);
  } catch (const std::exception& error) {
    failures.add(where + ": threw " + error.what());
  }
}

template <int Dim>
void run_cases(const Subject<Dim>& subject, const Settings& settings, const std::vector<Case<Dim>>& all,
               NamedExecutor& on, Failures& failures) {
  const std::string where = subject.name + ", " + to_string(settings) + ", " +
                            std::string(to_string(simd_level())) + ", " + on.name + ", ";
  AnyMethod<Dim> veteran = subject.make(settings);
  for (const Case<Dim>& one : all) {
    expect_pairs(one.expected, failures, where + one.name, [&] {
      AnyMethod<Dim> fresh = subject.make(settings);
      return pairs_of<Dim>(fresh, one.boxes, *on.executor);
    });
    expect_pairs(one.expected, failures, where + one.name + ", after other boxes",
                 [&] { return pairs_of<Dim>(veteran, one.boxes, *on.executor); });
  }
}

template <int Dim>
void run_motions(const Subject<Dim>& subject, const Settings& settings, std::span<const std::size_t> sizes,
                 std::size_t threads, Failures& failures) {
  for (const std::size_t n : sizes) {
    for (const Motion<Dim>& motion : motions<Dim>()) {
      Random random(n);
      const std::vector<BoxList<Dim>> frames = motion.make(n, random);
      for (NamedExecutor& on : executors_with(threads)) {
        AnyMethod<Dim> method = subject.make(settings);
        for (std::size_t f = 0; f < frames.size(); ++f) {
          expect_pairs(oracle_pairs(frames[f]), failures,
                       subject.name + ", " + to_string(settings) + ", " + on.name + ", " + motion.name +
                           " n=" + std::to_string(n) + ", frame " + std::to_string(f),
                       [&] { return pairs_of<Dim>(method, frames[f], *on.executor); });
        }
      }
    }
  }
}

template <class Check>
void at_every_level(Check check) {
  for (const SimdLevel level : available_simd_levels()) {
    const LevelInForce in_force(level);
    check();
  }
}

}  // namespace

template <int Dim>
void check_layouts(const Subject<Dim>& subject, std::size_t threads, Failures& failures) {
  std::vector<Case<Dim>> all = cases<Dim>(small_sizes(), kSanitized ? 1 : 2);
  if (!kSanitized) {
    constexpr std::size_t larger[] = {1000};
    for (Case<Dim>& one : cases<Dim>(larger, 1)) all.push_back(std::move(one));
  }
  for (NamedExecutor& on : executors_with(threads))
    at_every_level([&] { run_cases(subject, {}, all, on, failures); });
}

template <int Dim>
void check_many_boxes(const Subject<Dim>& subject, Failures& failures) {
  const std::size_t share = kSanitized ? 4 : 1;
  std::vector<Case<Dim>> all;
  for (const Layout<Dim>& layout : layouts<Dim>()) {
    if (layout.name == "uniform") all.push_back(make_case<Dim>(layout, 20'000 / share, 1));
    if (layout.name == "sizes_over_six_decades") all.push_back(make_case<Dim>(layout, 6'000 / share, 1));
  }
  for (const std::size_t threads : {2, 8})
    for (NamedExecutor& on : executors_with(threads)) run_cases(subject, {}, all, on, failures);
}

template <int Dim>
void check_motions(const Subject<Dim>& subject, Failures& failures) {
  constexpr std::size_t sizes[] = {1, 2, 17, 100, 700};
  for (const std::size_t threads : {1, 3})
    run_motions(subject, {}, kSanitized ? std::span(sizes).first(4) : sizes, threads, failures);
}

template <int Dim>
void check_settings(const Subject<Dim>& subject, Failures& failures) {
  constexpr std::size_t sizes[] = {0, 1, 2, 3, 8, 17, 65, 129};
  constexpr std::size_t moving_sizes[] = {2, 33, 300};
  const std::vector<Case<Dim>> all = cases<Dim>(sizes, 1);
  for (const Settings& settings : settings_to_try(subject.options)) {
    for (const std::size_t threads : {1, 3}) {
      for (NamedExecutor& on : executors_with(threads)) run_cases(subject, settings, all, on, failures);
      run_motions(subject, settings, kSanitized ? std::span(moving_sizes).first(2) : moving_sizes, threads,
                  failures);
    }
  }
}

template <int Dim>
void check_refusals(const Subject<Dim>& subject, Failures& failures) {
  const auto refused = [&](AnyMethod<Dim>& method, const BoxList<Dim>& boxes, Executor& executor,
                           std::size_t first_bad, const std::string& where) {
    try {
      method.update(BoxesView<Dim>(boxes), executor);
      failures.add(where + ": was accepted");
    } catch (const Error& error) {
      if (error.argument() != "boxes" || error.index() != first_bad)
        failures.add(where + ": names another box: " + error.what());
    } catch (const std::exception& error) {
      failures.add(where + ": threw something else: " + error.what());
    }
  };
  const auto uniform = layouts<Dim>().front();
  for (const std::size_t threads : {1, 3}) {
    for (NamedExecutor& on : executors_with(threads)) {
      for (const std::size_t n : {1, 2, 17, 129}) {
        const Case<Dim> good = make_case<Dim>(uniform, n, 7);
        const Case<Dim> later = make_case<Dim>(uniform, n, 8);
        AnyMethod<Dim> method = subject.make({});
        method.update(BoxesView<Dim>(good.boxes), *on.executor);
        for (const BadBox<Dim>& bad : bad_boxes<Dim>()) {
          const std::string where =
              subject.name + ", " + bad.name + ", " + on.name + ", n=" + std::to_string(n);
          const std::size_t at = n / 2;
          BoxList<Dim> boxes = later.boxes;
          boxes[at] = bad.box;
          boxes.back() = bad.box;
          refused(method, boxes, *on.executor, at, where);
          expect_pairs(good.expected, failures, where + ", pairs of the boxes before",
                       [&] { return pairs_of(method, *on.executor); });
        }
        expect_pairs(later.expected, failures, subject.name + ", good boxes after bad ones",
                     [&] { return pairs_of<Dim>(method, later.boxes, *on.executor); });
      }
      AnyMethod<Dim> fresh = subject.make({});
      refused(fresh, {bad_boxes<Dim>().front().box}, *on.executor, 0,
              subject.name + ", bad box first of all");
      expect_pairs({}, failures, subject.name + ", nothing but a bad box",
                   [&] { return pairs_of(fresh, *on.executor); });
    }
  }
}

template <int Dim>
void check_float_modes(const Subject<Dim>& subject, Failures& failures) {
  constexpr std::size_t sizes[] = {2, 17, 129, 1000};
  const std::vector<Case<Dim>> all = cases<Dim>(std::span(sizes).first(kSanitized ? 3 : 4), 1);
  for (const FloatMode& mode : float_modes()) {
    const Subject<Dim> in_mode{subject.name + " called with " + mode.name, {}, [&](const Settings& s) {
                                 return in_float_mode(subject.make(s), mode, failures);
                               }};
    NamedExecutor serial{"serial", make_executor(1)};
    NamedExecutor threads{"3 threads in that mode", std::make_unique<ThreadExecutor>(3, mode.set)};
    if (!kThreadSanitized) run_cases(in_mode, {}, all, serial, failures);
    run_cases(in_mode, {}, all, threads, failures);
  }
}

template <int Dim>
void check_views(const Subject<Dim>& subject, Failures& failures) {
  struct Body {
    int before = 0;
    Box<Dim> box{};
    double after = 0;
  };
  constexpr std::size_t sizes[] = {0, 1, 3, 17, 129, 500};
  for (const Case<Dim>& one : cases<Dim>(std::span(sizes).first(kSanitized ? 5 : 6), 1)) {
    std::vector<Body> bodies;
    for (const Box<Dim>& box : one.boxes) bodies.push_back({1, box, 2});
    const Boxes<Dim> columns{BoxesView<Dim>(one.boxes)};
    const auto interleaved = [&] {  // hi before lo, values of one axis side by side, a gap after each box
      std::vector<float> values;
      for (const Box<Dim>& box : one.boxes) {
        for (int axis = 0; axis < Dim; ++axis) values.insert(values.end(), {box.hi[axis], box.lo[axis]});
        values.push_back(std::numeric_limits<float>::quiet_NaN());
      }
      return values;
    }();
    typename BoxesView<Dim>::Columns lo, hi;
    for (int axis = 0; axis < Dim; ++axis) {
      hi[axis] = interleaved.data() + 2 * axis;
      lo[axis] = interleaved.data() + 2 * axis + 1;
    }
    const std::pair<const char*, BoxesView<Dim>> views[] = {
        {"columns", columns.view()},
        {"inside structs",
         bodies.empty() ? BoxesView<Dim>() : BoxesView<Dim>(&bodies[0].box, bodies.size(), sizeof(Body))},
        {"interleaved columns", BoxesView<Dim>(lo, hi, one.boxes.size(), (2 * Dim + 1) * sizeof(float))},
    };
    for (NamedExecutor& on : executors_with(2)) {
      for (const auto& [name, view] : views) {
        expect_pairs(one.expected, failures, subject.name + ", " + one.name + ", boxes as " + name, [&] {
          AnyMethod<Dim> method = subject.make({});
          return pairs_of(method, view, *on.executor);
        });
      }
    }
  }
}

template <int Dim>
void check_sinks(const Subject<Dim>& subject, Failures& failures) {
  constexpr std::size_t sizes[] = {0, 1, 2, 33, 129, 1000};
  const auto keeps = [](Pair pair) { return (pair.a + pair.b) % 3 == 0; };
  for (const Case<Dim>& one : cases<Dim>(std::span(sizes).first(kSanitized ? 5 : 6), 1)) {
    const std::string where = subject.name + ", " + one.name;
    for (NamedExecutor& on : executors_with(3)) {
      AnyMethod<Dim> method = subject.make({});
      expect_pairs(one.expected, failures, where,
                   [&] { return pairs_of<Dim>(method, one.boxes, *on.executor); });
      expect_pairs(one.expected, failures, where + ", asked again",
                   [&] { return pairs_of(method, *on.executor); });

      PairDigest expected;
      expected.add(one.expected);
      CountSink count;
      method.find_pairs(*on.executor, count);
      if (count.count() != expected.count) failures.add(where + ": counts " + std::to_string(count.count()));
      DigestSink digest;
      method.find_pairs(*on.executor, digest);
      if (digest.digest() != expected) failures.add(where + ": another digest");

      CanonicalSink canonical(*on.executor);
      method.find_pairs(*on.executor, canonical);
      if (canonical.pairs() != one.expected) failures.add(where + ": another canonical order");

      CollectSink kept;
      FilterSink filter(kept, keeps);
      method.find_pairs(*on.executor, filter);
      std::vector<Pair> expected_kept;
      for (const Pair pair : one.expected)
        if (keeps(pair)) expected_kept.push_back(pair);
      expect_pairs(expected_kept, failures, where + ", filtered", [&] { return kept.join(*on.executor); });
    }
  }
}

template <int Dim>
void check_pair_count_beyond_31_bits(const Subject<Dim>& subject, Failures& failures) {
  constexpr std::uint64_t n = 65'537;
  Box<Dim> box;
  box.lo.fill(0);
  box.hi.fill(1);
  const BoxList<Dim> boxes(n, box);
  AnyMethod<Dim> method = subject.make({});
  NamedExecutor on = std::move(executors_with(2).front());
  CountSink sink;
  method.update(BoxesView<Dim>(boxes), *on.executor);
  method.find_pairs(*on.executor, sink);
  if (sink.count() != n * (n - 1) / 2)
    failures.add(subject.name + ": counts " + std::to_string(sink.count()) + " of 2147516416 pairs");
}

#define WINNOW_INSTANTIATE(Dim)                                                  \
  template void check_layouts<Dim>(const Subject<Dim>&, std::size_t, Failures&); \
  template void check_many_boxes<Dim>(const Subject<Dim>&, Failures&);           \
  template void check_motions<Dim>(const Subject<Dim>&, Failures&);              \
  template void check_settings<Dim>(const Subject<Dim>&, Failures&);             \
  template void check_refusals<Dim>(const Subject<Dim>&, Failures&);             \
  template void check_float_modes<Dim>(const Subject<Dim>&, Failures&);          \
  template void check_views<Dim>(const Subject<Dim>&, Failures&);                \
  template void check_sinks<Dim>(const Subject<Dim>&, Failures&);                \
  template void check_pair_count_beyond_31_bits<Dim>(const Subject<Dim>&, Failures&);
WINNOW_INSTANTIATE(2)
WINNOW_INSTANTIATE(3)
#undef WINNOW_INSTANTIATE

}  // namespace winnow::test
