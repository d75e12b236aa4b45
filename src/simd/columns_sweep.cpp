// The sweep, many boxes at a time: boxes k, k + 1, ... of the columns lie in the lanes of a vector, and step
// d tests them against boxes k + d, k + 1 + d, ... until no lane has a box in reach. Short ranges, which most
// boxes have, then cost a few instructions, and no branch depends on a single box. A lane whose range is
// much longer than its neighbours' leaves the group and is swept alone, one box against a vector of others.
#include "simd/columns.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/columns_sweep.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <int Dim>
std::uint64_t sweep_columns_simd(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer) {
  return sweep_columns_scalar<Dim>(columns, boxes, writer);
}
#else

inline constexpr hn::ScalableTag<std::int16_t> kSteps;
inline constexpr hn::ScalableTag<std::uint32_t> kTags;
inline constexpr hn::ScalableTag<std::int32_t> kWide;
using Steps = hn::Vec<decltype(kSteps)>;
using Tags = hn::Vec<decltype(kTags)>;
using StepsMask = hn::Mask<decltype(kSteps)>;
constexpr std::size_t kLanes = HWY_MAX_BYTES / sizeof(std::int16_t);
constexpr std::size_t kTagLanes = kLanes / 2;

// Two bits per lane, set where the mask is.
HWY_INLINE std::uint32_t lane_bits(StepsMask mask) {
  const hn::Repartition<std::uint8_t, decltype(kSteps)> bytes;
  std::uint32_t bits = 0;
  hn::StoreMaskBits(bytes, hn::MaskFromVec(hn::BitCast(bytes, hn::VecFromMask(kSteps, mask))),
                    reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

// Writes pairs of tags for the lanes whose margin is not negative: at once where it is positive, after a
// look at the floats where it is zero. Use: out = reserve(calls); out = emit(..., out) ...; commit(out).
template <int Dim>
class PairEmitter {
 public:
  PairEmitter(const Box<Dim>* boxes, PairWriter& writer) : boxes_(boxes), writer_(&writer) {}

  // Room for this many calls of emit.
  HWY_INLINE Pair* reserve(std::size_t calls) {
    room_ = calls * kTagLanes + kTagLanes;
    return writer_->reserve(room_);
  }
  HWY_INLINE void commit(Pair* out) { writer_->commit(out); }

  // margins: kTagLanes of them. `out` is passed on, not kept: the next call waits for it.
  HWY_INLINE Pair* emit(Tags a, Tags b, const std::int16_t* margins, Pair* out) {
    const auto margin = hn::PromoteTo(kWide, hn::LoadU(kHalf, margins));
    const Tags id_mask = hn::Set(kTags, kIdMask);
    const auto once = hn::Eq(hn::AndNot(id_mask, hn::And(a, b)), hn::Zero(kTags));
    a = hn::And(a, id_mask);
    b = hn::And(b, id_mask);
    const Tags first = hn::Min(a, b), second = hn::Max(a, b);
    const auto sure = hn::And(once, hn::RebindMask(kTags, hn::Gt(margin, hn::Zero(kWide))));
    const auto doubtful = hn::And(once, hn::RebindMask(kTags, hn::Eq(margin, hn::Zero(kWide))));
    out = store(first, second, sure, out);
    if (HWY_UNLIKELY(!hn::AllFalse(kTags, doubtful))) {
      doubts_end_ = store(first, second, doubtful, doubts_end_);
      if (doubts_end_ > doubts_ + kDoubts) {
        commit(out);
        resolve();
        out = writer_->reserve(room_);
      }
    }
    return out;
  }

  // Tests the pairs in doubt. Not between reserve and commit.
  HWY_NOINLINE void resolve() {
    const std::size_t count = static_cast<std::size_t>(doubts_end_ - doubts_);
    for (std::size_t i = 0; i < count; ++i) {
      hwy::Prefetch(boxes_ + doubts_[i].a);
      hwy::Prefetch(boxes_ + doubts_[i].b);
    }
    Pair* out = writer_->reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      *out = doubts_[i];
      out += meet(boxes_[doubts_[i].a], boxes_[doubts_[i].b]);
    }
    writer_->commit(out);
    doubts_end_ = doubts_;
  }

 private:
  static constexpr hn::Rebind<std::int16_t, decltype(kWide)> kHalf{};
  static constexpr std::size_t kDoubts = 128;

  HWY_INLINE static Pair* store(Tags first, Tags second, hn::Mask<decltype(kTags)> keep, Pair* out) {
    const unsigned bits = mask_bits(kTags, keep);
    hn::StoreInterleaved2(compress(kTags, first, bits), compress(kTags, second, bits), kTags,
                          reinterpret_cast<std::uint32_t*>(out));
    return out + std::popcount(bits);
  }

  HWY_INLINE static bool meet(const Box<Dim>& p, const Box<Dim>& q) {
    bool all = true;
    for (int axis = 0; axis < Dim; ++axis) all &= (p.lo[axis] <= q.hi[axis]) & (q.lo[axis] <= p.hi[axis]);
    return all;
  }

  const Box<Dim>* boxes_;
  PairWriter* writer_;
  std::size_t room_ = 0;
  Pair* doubts_end_ = doubts_;
  Pair doubts_[kDoubts + 2 * kTagLanes];
};

template <int Dim>
class Sweep {
 public:
  Sweep(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer)
      : cell_(columns.cell()),
        cell_end_(columns.cell_end()),
        tags_(columns.tags()),
        size_(columns.size()),
        emitter_(boxes, writer) {
    // Faces of the dimensions in use: the third axis of two-dimensional boxes need not be tested, whatever
    // place the layout gave it, because it comes last.
    for (int k = 0; k < Dim; ++k) {
      face_[k] = columns.face(k);
      face_[Dim + k] = columns.face(3 + k);
    }
  }

  std::uint64_t run() {
    for (std::size_t k = 0; k < size_; k += kLanes) sweep_group(k);
    drain();
    emitter_.resolve();
    return tests_;
  }

 private:
  static constexpr std::size_t kQueue = 48;    // steps with hits that wait to be written
  static constexpr int kFew = 3;               // so few lanes of a group are swept alone,
  static constexpr std::size_t kPatience = 8;  // after so many steps

  // The faces from a place on. Kept in locals, for stores of vectors make compilers reload members.
  struct Faces {
    const std::int16_t* at[2 * Dim];
  };
  HWY_INLINE Faces faces(std::size_t from) const {
    Faces out;
    for (int k = 0; k < 2 * Dim; ++k) out.at[k] = face_[k] + from;
    return out;
  }

  // The least margin over all faces, of the boxes d places on: negative when apart, zero in doubt.
  HWY_INLINE static Steps margins(const Steps* opposite, const Faces& faces, std::size_t d) {
    Steps least = hn::SaturatedSub(opposite[0], hn::LoadU(kSteps, faces.at[0] + d));
    for (int k = 1; k < 2 * Dim; ++k)
      least = hn::Min(least, hn::SaturatedSub(opposite[k], hn::LoadU(kSteps, faces.at[k] + d)));
    return least;
  }

  HWY_INLINE void sweep_group(std::size_t k) {
    const Faces group = faces(k);
    Steps opposite[2 * Dim];
    for (int f = 0; f < Dim; ++f) {
      opposite[f] = hn::Not(hn::LoadU(kSteps, group.at[Dim + f]));
      opposite[Dim + f] = hn::Not(hn::LoadU(kSteps, group.at[f]));
    }
    const Steps end = hn::LoadU(kSteps, cell_end_ + k);
    const std::int16_t* const cell = cell_ + k;
    std::size_t queued = queued_;
    for (std::size_t d = 1;; ++d) {
      const auto in_reach = hn::Gt(end, hn::LoadU(kSteps, cell + d));
      const std::uint32_t lanes = lane_bits(in_reach);
      if (HWY_UNLIKELY(std::popcount(lanes) <= (d >= kPatience ? 2 * kFew : 0))) {
        queued_ = queued;
        tests_ += (d - 1) * kLanes;
        return sweep_rest(k, d, lanes);
      }
      // Out of reach: -1, apart.
      const Steps margin = hn::Or(margins(opposite, group, d), hn::VecFromMask(kSteps, hn::Not(in_reach)));
      hn::Store(margin, kSteps, queue_margins_ + queued * kLanes);
      queue_[queued] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k + d)};
      queued += lane_bits(hn::Gt(margin, hn::Set(kSteps, -1))) != 0;
      if (HWY_UNLIKELY(queued == kQueue)) {
        queued_ = queued;
        drain();
        queued = 0;
      }
    }
  }

  // The lanes that are left at step d, two bits each, one after the other.
  HWY_INLINE void sweep_rest(std::size_t k, std::size_t d, std::uint32_t lanes) {
    while (lanes != 0) {
      const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(lanes) / 2;
      lanes &= ~(std::uint32_t{3} << (2 * lane));
      sweep_one(k + lane, k + lane + d);
    }
  }

  HWY_NOINLINE void sweep_one(std::size_t box, std::size_t from) {
    Steps opposite[2 * Dim];
    for (int f = 0; f < Dim; ++f) {
      opposite[f] = hn::Set(kSteps, static_cast<std::int16_t>(~face_[Dim + f][box]));
      opposite[Dim + f] = hn::Set(kSteps, static_cast<std::int16_t>(~face_[f][box]));
    }
    const Faces others = faces(from);
    const Steps end = hn::Set(kSteps, cell_end_[box]);
    const Tags tag = hn::Set(kTags, tags_[box]);
    for (std::size_t d = 0;; d += kLanes) {
      const auto in_reach = hn::Gt(end, hn::LoadU(kSteps, cell_ + from + d));
      if (hn::AllFalse(kSteps, in_reach)) return;
      tests_ += kLanes;
      const Steps margin = hn::Or(margins(opposite, others, d), hn::VecFromMask(kSteps, hn::Not(in_reach)));
      if (lane_bits(hn::Gt(margin, hn::Set(kSteps, -1))) == 0) continue;
      alignas(HWY_MAX_BYTES) std::int16_t stored[kLanes];
      hn::Store(margin, kSteps, stored);
      const std::uint32_t* const tags = tags_ + from + d;
      Pair* out = emitter_.reserve(2);
      out = emitter_.emit(tag, hn::LoadU(kTags, tags), stored, out);
      out = emitter_.emit(tag, hn::LoadU(kTags, tags + kTagLanes), stored + kTagLanes, out);
      emitter_.commit(out);
    }
  }

  HWY_NOINLINE void drain() {
    const std::uint32_t* const tags = tags_;
    const std::size_t queued = queued_;
    Pair* out = emitter_.reserve(2 * queued);
    for (std::size_t q = 0; q < queued; ++q) {
      const std::uint32_t* a = tags + queue_[q].a;
      const std::uint32_t* b = tags + queue_[q].b;
      const std::int16_t* margin = queue_margins_ + q * kLanes;
      out = emitter_.emit(hn::LoadU(kTags, a), hn::LoadU(kTags, b), margin, out);
      out = emitter_.emit(hn::LoadU(kTags, a + kTagLanes), hn::LoadU(kTags, b + kTagLanes),
                          margin + kTagLanes, out);
    }
    emitter_.commit(out);
    queued_ = 0;
  }

  const std::int16_t* face_[2 * Dim];
  const std::int16_t* cell_;
  const std::int16_t* cell_end_;
  const std::uint32_t* tags_;
  std::size_t size_;
  std::uint64_t tests_ = 0;
  std::size_t queued_ = 0;
  PairEmitter<Dim> emitter_;
  alignas(HWY_MAX_BYTES) std::int16_t queue_margins_[kQueue * kLanes];
  Pair queue_[kQueue];
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

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

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

}  // namespace winnow
#endif
