// Shared by the kernels that read float boxes. Included once per Highway target, hence no plain guard.
#if defined(WINNOW_SIMD_QUANTISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_SIMD_QUANTISE_INL
#undef WINNOW_SIMD_QUANTISE_INL
#else
#define WINNOW_SIMD_QUANTISE_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "methods/tile_sweep/quantise.hpp"

#if HWY_TARGET != HWY_SCALAR  // there the kernels' twins run
HWY_BEFORE_NAMESPACE();
namespace winnow::tile_sweep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One box in a vector of four floats, an axis per lane, or two boxes in one of eight.
using OneBox = hn::FixedTag<float, 4>;
inline constexpr OneBox kOneBox;
inline constexpr hn::CappedTag<float, 8> kBoxes;

template <class D>
using Floats = hn::Vec<D>;
template <class D>
using Bytes = hn::Vec<hn::Repartition<std::uint8_t, D>>;
template <class D>
using Words = hn::Vec<hn::Repartition<std::uint32_t, D>>;

template <class D>
constexpr std::size_t boxes_in(D d) {
  return hn::MaxLanes(d) / 4;
}

// The four lanes at `first`, and, in a vector of two boxes, those at `second`.
template <class D>
HWY_INLINE Floats<D> load_lanes(D d, const float* first, const float* second) {
  if constexpr (boxes_in(D()) == 1) {
    return hn::LoadU(d, first);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, second), hn::LoadU(half, first));
  }
}

// The corners of the next boxes; lanes past Dim hold other bounds of the same box.
template <class D>
struct Corners {
  Floats<D> lo, hi;
};
template <int Dim, class D>
HWY_INLINE Corners<D> load_corners(D d, const Box<Dim>* boxes) {
  const float* bounds = reinterpret_cast<const float*>(boxes);
  constexpr std::size_t kNext = 2 * Dim;
  const Floats<D> first = load_lanes(d, bounds, bounds + kNext);
  if constexpr (Dim == 2)
    return {first, hn::Shuffle1032(first)};
  else
    return {first, hn::Shuffle0321(load_lanes(d, bounds + 2, bounds + kNext + 2))};
}

// Remembers whether a box with a NaN, an infinity or lo > hi went by.
template <int Dim, class D>
class Legality {
 public:
  HWY_INLINE Legality() {}  // written out: implicit ones are compiled for the baseline
  HWY_INLINE void check(const Corners<D>& box) {
    const Floats<D> most = hn::Set(D(), std::numeric_limits<float>::max());
    const auto finite = hn::And(hn::Ge(box.lo, hn::Neg(most)), hn::Le(box.hi, most));
    legal_ = hn::And(legal_, hn::VecFromMask(D(), hn::And(finite, hn::Le(box.lo, box.hi))));
  }
  HWY_INLINE bool all() const {
    alignas(16) static constexpr std::uint32_t kPast[4] = {0, 0, Dim == 2 ? ~0u : 0, ~0u};
    const hn::RebindToUnsigned<D> words;
    return hn::AllTrue(words,
                       hn::MaskFromVec(hn::Or(hn::BitCast(words, legal_), hn::LoadDup128(words, kPast))));
  }

 private:
  Floats<D> legal_ = hn::BitCast(D(), hn::Set(hn::RebindToUnsigned<D>(), ~0u));
};

// Steps in the low 16 bits of each lane; see steps() in quantised.hpp.
template <class D>
HWY_INLINE Bytes<D> to_steps(D d, Floats<D> x, Floats<D> lo, Floats<D> per_unit, Floats<D> most) {
  const Floats<D> scaled = hn::Mul(hn::Sub(x, lo), per_unit);
  const Floats<D> clamped = hn::Max(hn::Min(scaled, most), hn::Zero(d));
  return hn::BitCast(hn::Repartition<std::uint8_t, D>(), hn::Add(clamped, hn::Set(d, kToSteps)));
}

// Bounds of one box: a QuantisedBox whose tag is still missing.
using Bounds = hn::Vec<hn::FixedTag<std::uint32_t, 4>>;
HWY_INLINE void write_box(Bounds bounds, std::uint32_t tag, QuantisedBox& out) {
  hn::Store(hn::InsertLane(bounds, 3, tag), hn::FixedTag<std::uint32_t, 4>(),
            reinterpret_cast<std::uint32_t*>(&out));
}

// The lanes of the K-th box.
template <std::size_t K, class D, class V>
HWY_INLINE auto lanes_of(D d, V v) {
  if constexpr (boxes_in(D()) == 1)
    return v;
  else if constexpr (K == 0)
    return hn::LowerHalf(hn::Half<decltype(d)>(), v);
  else
    return hn::UpperHalf(hn::Half<decltype(d)>(), v);
}

template <int Dim, class D>
class Quantiser {
 public:
  HWY_INLINE Quantiser() {}

  // QuantisedBoxes without their tags, one after the other.
  HWY_INLINE Words<D> bounds(const Corners<D>& box, Floats<D> lo, Floats<D> per_unit) const {
    const auto corners = hn::BitCast(
        kWords, hn::Or(hn::TableLookupBytesOr0(to_steps(D(), box.lo, lo, per_unit, most_), lo_words_),
                       hn::TableLookupBytesOr0(to_steps(D(), box.hi, lo, per_unit, most_), hi_words_)));
    return Dim == 2 ? hn::Or(corners, hn::LoadDup128(kWords, kThirdAxis)) : corners;
  }

 private:
  static constexpr hn::Repartition<std::uint8_t, D> kBytes{};
  static constexpr hn::Repartition<std::uint32_t, D> kWords{};
  alignas(16) static constexpr std::uint8_t kLoWords[16] = {0,   1,   4,   5,   8,   9,   255, 255,
                                                            255, 255, 255, 255, 255, 255, 255, 255};
  alignas(16) static constexpr std::uint8_t kHiWords[16] = {255, 255, 255, 255, 255, 255, 0,   1,
                                                            4,   5,   8,   9,   255, 255, 255, 255};
  alignas(16) static constexpr std::uint32_t kThirdAxis[4] = {0, 0, std::uint32_t{kMostSteps} << 16, 0};

  const Floats<D> most_ = hn::Set(D(), kMostSteps);
  const Bytes<D> lo_words_ = hn::LoadDup128(kBytes, kLoWords);
  const Bytes<D> hi_words_ = hn::LoadDup128(kBytes, kHiWords);
};

}  // namespace winnow::tile_sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
