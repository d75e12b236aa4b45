#include "methods/tile_sweep/quantise.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/tile_sweep/quantise_kernel.cpp"
#include <hwy/foreach_target.h>

#include "methods/tile_sweep/quantise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::tile_sweep::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
template <int Dim, class... Args>
bool quantise_simd(Args&&... args) {
  return quantise_scalar<Dim>(args...);
}
#else
// Boxes of [begin, end), as many as fill vectors; `begin` moves on.
template <int Dim, class D>
bool quantise_run(D d, const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t& begin, std::size_t end,
                  const Scale& scale, QuantisedBox* out) {
  const Floats<D> lo = hn::LoadDup128(d, scale.lo), per_unit = hn::LoadDup128(d, scale.per_unit);
  const Quantiser<Dim, D> quantiser;
  const hn::Repartition<std::uint32_t, D> words;
  Legality<Dim, D> legality;
  std::size_t i = begin;
  for (; i + boxes_in(d) <= end; i += boxes_in(d)) {
    const Corners<D> box = load_corners(d, boxes + i);
    legality.check(box);
    const Words<D> bounds = quantiser.bounds(box, lo, per_unit);
    const auto tag = [&](std::size_t at) {
      return tags == nullptr ? static_cast<std::uint32_t>(at) : tags[at];
    };
    write_box(lanes_of<0>(words, bounds), tag(i), *out++);
    if constexpr (boxes_in(D()) == 2) write_box(lanes_of<1>(words, bounds), tag(i + 1), *out++);
  }
  begin = i;
  return legality.all();
}

template <int Dim>
bool quantise_simd(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                   const Scale& scale, QuantisedBox* out) {
  const std::size_t first = begin;
  const bool legal = quantise_run(kBoxes, boxes, tags, begin, end, scale, out);
  return quantise_run(kOneBox, boxes, tags, begin, end, scale, out + (begin - first)) && legal;
}
#endif

bool quantise_2d(const Box<2>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                 const Scale& scale, QuantisedBox* out) {
  return quantise_simd<2>(boxes, tags, begin, end, scale, out);
}
bool quantise_3d(const Box<3>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                 const Scale& scale, QuantisedBox* out) {
  return quantise_simd<3>(boxes, tags, begin, end, scale, out);
}

}  // namespace winnow::tile_sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow::tile_sweep {

HWY_EXPORT(quantise_2d);
HWY_EXPORT(quantise_3d);

template <>
bool quantise<2>(const Box<2>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                 const Scale& scale, QuantisedBox* out) {
  if (scalar_forced()) return quantise_scalar<2>(boxes, tags, begin, end, scale, out);
  return HWY_DYNAMIC_DISPATCH(quantise_2d)(boxes, tags, begin, end, scale, out);
}
template <>
bool quantise<3>(const Box<3>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                 const Scale& scale, QuantisedBox* out) {
  if (scalar_forced()) return quantise_scalar<3>(boxes, tags, begin, end, scale, out);
  return HWY_DYNAMIC_DISPATCH(quantise_3d)(boxes, tags, begin, end, scale, out);
}

}  // namespace winnow::tile_sweep
#endif
