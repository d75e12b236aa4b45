#include "simd/level.hpp"
#include "simd/quantised.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/quantise.cpp"
#include <hwy/foreach_target.h>

#include "simd/quantise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
template <int Dim, class... Args>
bool quantise_simd(Args&&... args) {
  return quantise_scalar<Dim>(args...);
}
#else
template <int Dim>
bool quantise_simd(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                   const Scale& scale, QuantisedBox* out) {
  const Scale local = scale;
  const Quantiser<Dim> quantiser;
  Legality<Dim> legality;
  for (std::size_t i = begin; i < end; ++i) {
    const Corners box = load_corners(boxes[i]);
    legality.check(box);
    quantiser.write(box, local, tags == nullptr ? static_cast<std::uint32_t>(i) : tags[i], out[i - begin]);
  }
  return legality.all();
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

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

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

}  // namespace winnow
#endif
