#include "simd/overlap.hpp"

namespace winnow {

template <int Dim>
std::size_t overlap_run_scalar(const Box<Dim>& box, const BoxColumns<Dim>& run, std::size_t begin,
                               std::size_t end, std::uint32_t* hits) {
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    bool hit = true;
    for (int axis = 0; axis < Dim && hit; ++axis)
      hit = run.lo[axis][i] <= box.hi[axis] && box.lo[axis] <= run.hi[axis][i];
    if (hit) hits[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

template std::size_t overlap_run_scalar<2>(const Box<2>&, const BoxColumns<2>&, std::size_t, std::size_t,
                                           std::uint32_t*);
template std::size_t overlap_run_scalar<3>(const Box<3>&, const BoxColumns<3>&, std::size_t, std::size_t,
                                           std::uint32_t*);

}  // namespace winnow
