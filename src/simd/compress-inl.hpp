// Compression of vectors by a mask, for kernels: include it after <hwy/highway.h>, inside the part that is
// compiled once per target.
#if defined(WINNOW_SIMD_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WINNOW_SIMD_COMPRESS_INL
#undef WINNOW_SIMD_COMPRESS_INL
#else
#define WINNOW_SIMD_COMPRESS_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd/compress_tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The mask as bits, lane 0 lowest. For vectors of at most eight lanes.
template <class D, class Mask>
HWY_INLINE unsigned mask_bits(D d, Mask mask) {
  static_assert(hn::MaxLanes(D()) <= 8);
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
}

// The lanes whose bits are set move to the front, in order; what stands behind them is arbitrary.
template <class D, class V>
HWY_INLINE V compress(D d, V v, unsigned bits) {
  constexpr std::size_t lanes = hn::MaxLanes(D()), bytes = sizeof(hn::TFromD<D>);
  if constexpr (lanes == 1) {
    return v;
  } else if constexpr (lanes == 8 && bytes == 4) {
    const hn::RebindToUnsigned<D> du;
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Load(du, kCompress8x32[bits].data())));
  } else if constexpr (lanes == 4 && bytes == 8) {
    const hn::Repartition<std::uint32_t, D> du;
    const auto indices = hn::IndicesFromVec(du, hn::Load(du, kCompress4x64[bits].data()));
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(du, v), indices));
  } else {
    static_assert(lanes * bytes <= 16, "no table for vectors of this shape");
    const hn::Repartition<std::uint8_t, D> du8;
    const auto indices = hn::Load(du8, kCompressBytes<lanes, bytes>[bits].data());
    return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(du8, v), indices));
  }
}

// Stores the kept lanes and returns how many; writes a whole vector.
template <class D, class V>
HWY_INLINE std::size_t compress_store(D d, V v, unsigned bits, hn::TFromD<D>* to) {
  hn::StoreU(compress(d, v, bits), d, to);
  return static_cast<std::size_t>(std::popcount(bits));
}

#if HWY_TARGET != HWY_SCALAR
// Stores the kept lanes of both, a0 b0 a1 b1 ..., and returns how many pairs; writes two whole vectors.
template <class D, class V>
HWY_INLINE std::size_t compress_store_interleaved(D d, V a, V b, unsigned bits, hn::TFromD<D>* to) {
  constexpr std::size_t lanes = hn::MaxLanes(D()), bytes = sizeof(hn::TFromD<D>);
  const auto count = static_cast<unsigned>(std::popcount(bits));
  if constexpr (lanes == 8 && bytes == 4) {
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<std::uint8_t, D> d8;
    const auto lane_of = hn::PromoteTo(du, hn::LoadU(d8, kCompressInterleave8[bits].data()));
    const auto indices = hn::IndicesFromVec(d, lane_of);
    a = hn::TableLookupLanes(a, indices);
    b = hn::TableLookupLanes(b, indices);
    hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
    if (HWY_UNLIKELY(count > 4)) hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + lanes);
  } else {
    hn::StoreInterleaved2(compress(d, a, bits), compress(d, b, bits), d, to);
  }
  return count;
}
#endif

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
