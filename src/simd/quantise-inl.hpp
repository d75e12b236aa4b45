// Shared by the kernels that read float boxes. Included once per Highway target, hence no plain guard.
#if defined(WINNOW_SIMD_QUANTISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_SIMD_QUANTISE_INL
#undef WINNOW_SIMD_QUANTISE_INL
#else
#define WINNOW_SIMD_QUANTISE_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "simd/quantised.hpp"

#if HWY_TARGET != HWY_SCALAR  // there the kernels' twins run
HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Float4 = hn::Vec<hn::FixedTag<float, 4>>;
using Byte16 = hn::Vec<hn::FixedTag<std::uint8_t, 16>>;
inline constexpr hn::FixedTag<float, 4> kFloat4;
inline constexpr hn::FixedTag<std::uint8_t, 16> kByte16;
inline constexpr hn::FixedTag<std::uint32_t, 4> kWord4;

// A box's corners, one axis per lane; lanes past Dim hold other bounds of the same box.
struct Corners {
  Float4 lo, hi;
};
template <int Dim>
HWY_INLINE Corners load_corners(const Box<Dim>& box) {
  const float* bounds = reinterpret_cast<const float*>(&box);
  const Float4 first = hn::LoadU(kFloat4, bounds);
  if constexpr (Dim == 2)
    return {first, hn::Shuffle1032(first)};
  else
    return {first, hn::Shuffle0321(hn::LoadU(kFloat4, bounds + 2))};
}

// Remembers whether a box with a NaN, an infinity or lo > hi went by.
template <int Dim>
class Legality {
 public:
  HWY_INLINE Legality() {}  // written out: implicit ones are compiled for the baseline
  HWY_INLINE void check(const Corners& box) {
    const Float4 most = hn::Set(kFloat4, std::numeric_limits<float>::max());
    const auto finite = hn::And(hn::Ge(box.lo, hn::Neg(most)), hn::Le(box.hi, most));
    legal_ = hn::And(legal_, hn::VecFromMask(kFloat4, hn::And(finite, hn::Le(box.lo, box.hi))));
  }
  HWY_INLINE bool all() const {
    const auto past = hn::Not(hn::FirstN(kFloat4, Dim));
    return hn::AllTrue(kFloat4, hn::Or(hn::MaskFromVec(legal_), past));
  }

 private:
  Float4 legal_ = hn::BitCast(kFloat4, hn::Set(kWord4, ~0u));
};

// Steps in the low 16 bits of each lane; see steps() in quantised.hpp.
HWY_INLINE Byte16 to_steps(Float4 x, Float4 lo, Float4 per_unit, Float4 most) {
  const Float4 scaled = hn::Mul(hn::Sub(x, lo), per_unit);
  const Float4 clamped = hn::Max(hn::Min(scaled, most), hn::Zero(kFloat4));
  return hn::BitCast(kByte16, hn::Add(clamped, hn::Set(kFloat4, kToSteps)));
}

template <int Dim>
class Quantiser {
 public:
  HWY_INLINE Quantiser() {}
  HWY_INLINE void write(const Corners& box, const Scale& scale, std::uint32_t tag, QuantisedBox& out) const {
    const Float4 lo = hn::Load(kFloat4, scale.lo), per_unit = hn::Load(kFloat4, scale.per_unit);
    const Byte16 corner = hn::Or(hn::TableLookupBytesOr0(to_steps(box.lo, lo, per_unit, most_), lo_words_),
                                 hn::TableLookupBytesOr0(to_steps(box.hi, lo, per_unit, most_), hi_words_));
    auto words = hn::BitCast(kWord4, corner);
    if constexpr (Dim == 2) words = hn::Or(words, third_axis_);
    hn::Store(hn::InsertLane(words, 3, tag), kWord4, reinterpret_cast<std::uint32_t*>(&out));
  }

 private:
  alignas(16) static constexpr std::uint8_t kLoWords[16] = {0,   1,   4,   5,   8,   9,   255, 255,
                                                            255, 255, 255, 255, 255, 255, 255, 255};
  alignas(16) static constexpr std::uint8_t kHiWords[16] = {255, 255, 255, 255, 255, 255, 0,   1,
                                                            4,   5,   8,   9,   255, 255, 255, 255};
  alignas(16) static constexpr std::uint32_t kThirdAxis[4] = {0, 0, std::uint32_t{kMostSteps} << 16, 0};

  const Float4 most_ = hn::Set(kFloat4, kMostSteps);
  const Byte16 lo_words_ = hn::Load(kByte16, kLoWords);
  const Byte16 hi_words_ = hn::Load(kByte16, kHiWords);
  const hn::Vec<decltype(kWord4)> third_axis_ = hn::Load(kWord4, kThirdAxis);
};

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
