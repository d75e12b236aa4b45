#include "simd/overlap.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/overlap_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int Dim>
std::size_t overlap_run_simd(const Box<Dim>& box, const BoxColumns<Dim>& run, std::size_t begin,
                             std::size_t end, std::uint32_t* hits) {
  const hn::ScalableTag<float> df;
  const hn::RebindToUnsigned<decltype(df)> du;
  const std::size_t lanes = hn::Lanes(df);
  using Floats = decltype(hn::Zero(df));

  Floats box_lo[Dim], box_hi[Dim];
  for (int axis = 0; axis < Dim; ++axis) {
    box_lo[axis] = hn::Set(df, box.lo[axis]);
    box_hi[axis] = hn::Set(df, box.hi[axis]);
  }
  const auto hit_mask = [&](std::size_t i) {
    auto hit = hn::And(hn::Le(hn::LoadU(df, run.lo[0] + i), box_hi[0]),
                       hn::Le(box_lo[0], hn::LoadU(df, run.hi[0] + i)));
    for (int axis = 1; axis < Dim; ++axis) {
      hit = hn::And(hit, hn::Le(hn::LoadU(df, run.lo[axis] + i), box_hi[axis]));
      hit = hn::And(hit, hn::Le(box_lo[axis], hn::LoadU(df, run.hi[axis] + i)));
    }
    return hit;
  };

  std::uint32_t* out = hits;
  const auto store = [&](decltype(hit_mask(0)) hit, std::size_t i) {
    const auto ids = hn::Iota(du, static_cast<std::uint32_t>(i));
    out += compress_store(du, ids, mask_bits(df, hit), out);
  };

  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    const auto hit = hit_mask(i);
    if (HWY_UNLIKELY(!hn::AllFalse(df, hit))) store(hit, i);
  }
  if (i < end) {
    const auto hit = hn::And(hit_mask(i), hn::FirstN(df, end - i));
    if (!hn::AllFalse(df, hit)) store(hit, i);
  }
  return static_cast<std::size_t>(out - hits);
}

std::size_t overlap_run_2d(const Box<2>& box, const BoxColumns<2>& run, std::size_t begin, std::size_t end,
                           std::uint32_t* hits) {
  return overlap_run_simd<2>(box, run, begin, end, hits);
}
std::size_t overlap_run_3d(const Box<3>& box, const BoxColumns<3>& run, std::size_t begin, std::size_t end,
                           std::uint32_t* hits) {
  return overlap_run_simd<3>(box, run, begin, end, hits);
}

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(overlap_run_2d);
HWY_EXPORT(overlap_run_3d);

template <>
std::size_t overlap_run<2>(const Box<2>& box, const BoxColumns<2>& run, std::size_t begin, std::size_t end,
                           std::uint32_t* hits) {
  if (scalar_forced()) return overlap_run_scalar<2>(box, run, begin, end, hits);
  return HWY_DYNAMIC_DISPATCH(overlap_run_2d)(box, run, begin, end, hits);
}
template <>
std::size_t overlap_run<3>(const Box<3>& box, const BoxColumns<3>& run, std::size_t begin, std::size_t end,
                           std::uint32_t* hits) {
  if (scalar_forced()) return overlap_run_scalar<3>(box, run, begin, end, hits);
  return HWY_DYNAMIC_DISPATCH(overlap_run_3d)(box, run, begin, end, hits);
}

}  // namespace winnow
#endif
