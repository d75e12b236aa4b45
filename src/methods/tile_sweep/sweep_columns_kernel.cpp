// The sweep, many boxes at a time: boxes k, k + 1, ... of the columns lie in the lanes of a vector, and step
// d tests them against boxes k + d, k + 1 + d, ... until no lane has a box in reach. Short ranges, which most
// boxes have, then cost a few instructions, and no branch depends on a single box. A lane whose range is
// much longer than its neighbours' leaves the group and is swept alone, one box against a vector of others.
#include "methods/tile_sweep/sweep_columns.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/tile_sweep/sweep_columns_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::tile_sweep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace winnow::HWY_NAMESPACE;  // compress

#if HWY_TARGET == HWY_SCALAR
template <int Dim>
std::uint64_t sweep_columns_simd(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer) {
  return sweep_columns_scalar<Dim>(columns, boxes, writer);
}
#else

inline constexpr hn::ScalableTag<std::int16_t> kSteps;
inline constexpr hn::ScalableTag<std::uint32_t> kIds;
using Steps = hn::Vec<decltype(kSteps)>;
using Ids = hn::Vec<decltype(kIds)>;
using StepsMask = hn::Mask<decltype(kSteps)>;
constexpr std::size_t kLanes = HWY_MAX_BYTES / sizeof(std::int16_t);
constexpr std::size_t kIdLanes = kLanes / 2;

// Two bits per lane, set where the mask is: the fastest way to count lanes.
HWY_INLINE std::uint32_t byte_bits(StepsMask mask) {
  const hn::Repartition<std::uint8_t, decltype(kSteps)> bytes;
  std::uint32_t bits = 0;
  hn::StoreMaskBits(bytes, hn::MaskFromVec(hn::BitCast(bytes, hn::VecFromMask(kSteps, mask))),
                    reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}
constexpr std::uint32_t kAllBytes = static_cast<std::uint32_t>((std::uint64_t{1} << 2 * kLanes) - 1);
// One bit per lane.
HWY_INLINE unsigned lane_bits(StepsMask mask) {
  std::uint16_t bits = 0;
  hn::StoreMaskBits(kSteps, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

// Tests of kLanes boxes, the first ones, against as many others that lie side by side.
// The first boxes lie side by side too, and the others `distance` places on. All in one word: tests are
// slower the more bytes are stored between them, see StepQueue.
class RunStep {
 public:
  static constexpr std::size_t kMostDistance = 65534;
  static constexpr bool kSingle = false;

  RunStep() = default;
  HWY_INLINE RunStep(std::size_t first, std::size_t distance, std::uint32_t hits)
      : word_(std::uint64_t{first} << 32 | distance << 16 | hits) {}
  HWY_INLINE std::size_t first() const { return word_ >> 32; }
  HWY_INLINE std::size_t second() const { return first() + (word_ >> 16 & 0xffff); }
  HWY_INLINE std::uint32_t hits() const { return word_ & 0xffff; }  // one bit per lane

 private:
  std::uint64_t word_;
};
// The first box is the same in all lanes.
class SingleStep {
 public:
  static constexpr bool kSingle = true;

  SingleStep() = default;
  HWY_INLINE SingleStep(std::size_t first, std::size_t second, std::uint32_t hits)
      : first_(static_cast<std::uint32_t>(first)), second_(static_cast<std::uint32_t>(second)), hits_(hits) {}
  HWY_INLINE std::size_t first() const { return first_; }
  HWY_INLINE std::size_t second() const { return second_; }
  HWY_INLINE std::uint32_t hits() const { return hits_; }

 private:
  std::uint32_t first_, second_, hits_;
};

// Steps with hits that wait to be written. A step is added and stays if it has a hit: no branch depends on
// it. Nor are pairs written between tests, for a load has to wait for an earlier store with the same last
// twelve bits of its address, and stores that walk through memory meet many loads.
template <class Step>
struct StepQueue {
  static constexpr std::size_t kRoom = 64;
  std::size_t size = 0;
  Step steps[kRoom];

  // `count` is the size, kept in a register by the caller.
  HWY_INLINE std::size_t push(std::size_t count, Step step) {
    steps[count] = step;
    return count + (step.hits() != 0);
  }
  static bool full(std::size_t count) { return count + 2 > kRoom; }
};

template <int Dim>
class Sweep {
 public:
  Sweep(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer)
      : columns_(columns), boxes_(boxes), writer_(writer) {
    // Faces of the dimensions in use: the third axis of two-dimensional boxes need not be tested, whatever
    // place the layout gave it, because it comes last.
    for (int k = 0; k < Dim; ++k) {
      face_[k] = columns.face(k);
      face_[Dim + k] = columns.face(3 + k);
    }
  }

  std::uint64_t run() {
    const std::size_t size = columns_.size();
    for (std::size_t k = 0; k < size; k += kLanes) sweep_group(k);
    write(runs_);
    write(singles_);
    resolve_doubts();
    return tests_;
  }

 private:
  static constexpr int kFew = 2;                // so few lanes of a group are swept alone,
  static constexpr std::size_t kPatience = 16;  // after so many steps
  static constexpr std::size_t kDoubts = 128;

  // The columns from a place on. Kept in locals, for stores of vectors make compilers reload members.
  struct Others {
    const std::int16_t* face[2 * Dim];
    const std::int16_t *cell, *seen;
  };
  HWY_INLINE Others others(std::size_t from) const {
    Others out;
    for (int f = 0; f < 2 * Dim; ++f) out.face[f] = face_[f] + from;
    out.cell = columns_.cell() + from;
    out.seen = columns_.later_axes() + from;
    return out;
  }

  // Boxes that are tested: each bound against the opposite one of others, how far they reach, where they were
  // seen before.
  struct Probe {
    Steps opposite[2 * Dim];
    Steps last_cell, seen;
  };
  template <class Step>
  HWY_INLINE Probe probe(std::size_t at) const {
    const auto load = [at](const std::int16_t* values) HWY_ATTR {
      return Step::kSingle ? hn::Set(kSteps, values[at]) : hn::LoadU(kSteps, values + at);
    };
    Probe out;
    for (int f = 0; f < 2 * Dim; ++f) out.opposite[f] = hn::Not(load(face_[(f + Dim) % (2 * Dim)]));
    out.last_cell = load(columns_.last_cell());
    out.seen = load(columns_.later_axes());
    return out;
  }

  HWY_INLINE static StepsMask out_of_reach(const Probe& probe, const Others& others, std::size_t d) {
    return hn::Gt(hn::LoadU(kSteps, others.cell + d), probe.last_cell);
  }

  // Tests boxes against those d places on. Returns the lanes that overlap for sure; those in doubt are noted.
  template <class Step>
  HWY_INLINE std::uint32_t test(const Probe& probe, const Others& others, std::size_t d, Step step) {
    // The least margin over all faces: negative when apart, zero in doubt; -1 when out of reach.
    Steps margin = hn::SaturatedSub(probe.opposite[0], hn::LoadU(kSteps, others.face[0] + d));
    for (int f = 1; f < 2 * Dim; ++f)
      margin = hn::Min(margin, hn::SaturatedSub(probe.opposite[f], hn::LoadU(kSteps, others.face[f] + d)));
    margin = hn::Or(margin, hn::VecFromMask(kSteps, out_of_reach(probe, others, d)));

    const Steps zero = hn::Zero(kSteps);
    const auto once = hn::Eq(hn::And(probe.seen, hn::LoadU(kSteps, others.seen + d)), zero);
    const auto doubtful = hn::And(once, hn::Eq(margin, zero));
    if (HWY_UNLIKELY(!hn::AllFalse(kSteps, doubtful))) note_doubts(step, lane_bits(doubtful));
    return lane_bits(hn::And(once, hn::Gt(margin, zero)));
  }

  // So many bits of lanes in reach, or fewer, and the lanes are swept alone.
  HWY_INLINE static int few_at(std::size_t d) {
    return d >= RunStep::kMostDistance ? 2 * kLanes : d > kPatience ? 2 * kFew : 0;
  }

  HWY_INLINE void sweep_group(std::size_t k) {
    const Others group = others(k);
    const Probe boxes = probe<RunStep>(k);
    std::size_t queued = runs_.size;
    std::size_t d = 1;
    std::uint32_t lanes;  // in reach, two bits each
    for (;; d += 2) {
      lanes = ~byte_bits(out_of_reach(boxes, group, d)) & kAllBytes;
      if (HWY_UNLIKELY(std::popcount(lanes) <= few_at(d))) break;
      queued = runs_.push(queued, {k, d, test(boxes, group, d, RunStep(k, d, 0))});
      queued = runs_.push(queued, {k, d + 1, test(boxes, group, d + 1, RunStep(k, d + 1, 0))});
      if (HWY_UNLIKELY(runs_.full(queued))) {
        runs_.size = queued;
        write(runs_);
        queued = 0;
      }
    }
    runs_.size = queued;
    tests_ += (d - 1) * kLanes;
    for (; lanes != 0; lanes &= lanes - 1, lanes &= lanes - 1) {
      const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(lanes) / 2;
      sweep_one(k + lane, k + lane + d);
    }
  }

  HWY_NOINLINE void sweep_one(std::size_t at, std::size_t from) {
    const Others rest = others(from);
    const Probe box = probe<SingleStep>(at);
    std::size_t queued = singles_.size;
    std::size_t d = 0;
    for (; !hn::AllTrue(kSteps, out_of_reach(box, rest, d)); d += kLanes) {
      const std::uint32_t hits = test(box, rest, d, SingleStep(at, from + d, 0));
      queued = singles_.push(queued, {at, from + d, hits});
      if (HWY_UNLIKELY(singles_.full(queued))) {
        singles_.size = queued;
        write(singles_);
        queued = 0;
      }
    }
    singles_.size = queued;
    tests_ += d;
  }

  template <class Step>
  HWY_NOINLINE void write(StepQueue<Step>& queue) {
    const std::uint32_t* const ids = columns_.ids();
    const std::size_t size = queue.size;
    Pair* out = writer_.reserve((size + 1) * kLanes);
    for (std::size_t q = 0; q < size; ++q) out = store_pairs(ids, queue.steps[q], queue.steps[q].hits(), out);
    writer_.commit(out);
    queue.size = 0;
  }

  // The pairs of the lanes whose bits are set.
  template <class Step>
  HWY_INLINE static Pair* store_pairs(const std::uint32_t* ids, Step step, unsigned bits, Pair* out) {
    const std::uint32_t* const first = ids + step.first();
    const std::uint32_t* const second = ids + step.second();
    for (std::size_t lane = 0; lane < kLanes; lane += kIdLanes) {
      const Ids a = Step::kSingle ? hn::Set(kIds, *first) : hn::LoadU(kIds, first + lane);
      const Ids b = hn::LoadU(kIds, second + lane);
      const unsigned kept = bits >> lane & ((1u << kIdLanes) - 1);
      out += compress_store_interleaved(kIds, hn::Min(a, b), hn::Max(a, b), kept,
                                        reinterpret_cast<std::uint32_t*>(out));
    }
    return out;
  }

  // Pairs with equal steps, which the floats have to decide.
  template <class Step>
  HWY_NOINLINE void note_doubts(Step step, unsigned bits) {
    Pair* const end = store_pairs(columns_.ids(), step, bits, doubts_ + doubt_count_);
    doubt_count_ = static_cast<std::size_t>(end - doubts_);
    if (doubt_count_ > kDoubts) resolve_doubts();
  }

  HWY_NOINLINE void resolve_doubts() {
    for (std::size_t i = 0; i < doubt_count_; ++i) {
      hwy::Prefetch(boxes_ + doubts_[i].a);
      hwy::Prefetch(boxes_ + doubts_[i].b);
    }
    Pair* out = writer_.reserve(doubt_count_);
    for (std::size_t i = 0; i < doubt_count_; ++i) {
      *out = doubts_[i];
      out += meet(boxes_[doubts_[i].a], boxes_[doubts_[i].b]);
    }
    writer_.commit(out);
    doubt_count_ = 0;
  }

  HWY_INLINE static bool meet(const Box<Dim>& p, const Box<Dim>& q) {
    bool all = true;
    for (int axis = 0; axis < Dim; ++axis) all &= (p.lo[axis] <= q.hi[axis]) & (q.lo[axis] <= p.hi[axis]);
    return all;
  }

  const Columns& columns_;
  const Box<Dim>* boxes_;
  PairWriter& writer_;
  const std::int16_t* face_[2 * Dim];
  std::uint64_t tests_ = 0;
  StepQueue<RunStep> runs_;
  StepQueue<SingleStep> singles_;
  std::size_t doubt_count_ = 0;
  Pair doubts_[kDoubts + 2 * kLanes];
};

template <int Dim>
std::uint64_t sweep_columns_simd(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer) {
  return Sweep<Dim>(columns, boxes, writer).run();
}
#endif

std::uint64_t sweep_columns_2d(const Columns& columns, const Box<2>* boxes, PairWriter& writer) {
  return sweep_columns_simd<2>(columns, boxes, writer);
}
std::uint64_t sweep_columns_3d(const Columns& columns, const Box<3>* boxes, PairWriter& writer) {
  return sweep_columns_simd<3>(columns, boxes, writer);
}

}  // namespace winnow::tile_sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow::tile_sweep {

HWY_EXPORT(sweep_columns_2d);
HWY_EXPORT(sweep_columns_3d);

template <>
std::uint64_t sweep_columns<2>(const Columns& columns, const Box<2>* boxes, PairWriter& writer) {
  if (scalar_forced()) return sweep_columns_scalar<2>(columns, boxes, writer);
  return HWY_DYNAMIC_DISPATCH(sweep_columns_2d)(columns, boxes, writer);
}
template <>
std::uint64_t sweep_columns<3>(const Columns& columns, const Box<3>* boxes, PairWriter& writer) {
  if (scalar_forced()) return sweep_columns_scalar<3>(columns, boxes, writer);
  return HWY_DYNAMIC_DISPATCH(sweep_columns_3d)(columns, boxes, writer);
}

}  // namespace winnow::tile_sweep
#endif
