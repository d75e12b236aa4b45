#include "simd/sweep.hpp"

#include <algorithm>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/sweep_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether a row's box begins at or before all boxes it meets, which makes one of the tests on axis 0
// redundant.
enum class Begins { before_all, anywhere };

// One box against boxes of a run: the box's bounds in every lane.
template <int Dim, Begins begins>
class Row {
  static constexpr hn::ScalableTag<float> df{};
  static constexpr hn::RebindToUnsigned<hn::ScalableTag<float>> du{};
  using Floats = hn::Vec<hn::ScalableTag<float>>;
  using Ids = hn::Vec<hn::RebindToUnsigned<hn::ScalableTag<float>>>;
  using Mask = hn::Mask<hn::ScalableTag<float>>;

  static constexpr std::size_t kBlock = 256;  // tests between looks at the writer's room

 public:
  Row(const BoxColumns<Dim>& columns, std::size_t i, std::uint32_t id) : id_(hn::Set(du, id)) {
    for (int axis = 0; axis < Dim; ++axis) {
      lo_[axis] = hn::Set(df, columns.lo[axis][i]);
      hi_[axis] = hn::Set(df, columns.hi[axis][i]);
    }
    hi_on_sweep_axis_ = columns.hi[0][i];
  }

  // Tests boxes [from, run.end) until one begins after this row's box; returns how many it tested.
  std::size_t sweep(const SortedRun<Dim>& run, std::size_t from, PairWriter& writer) const {
    const std::size_t lanes = hn::Lanes(df);
    const BoxColumns<Dim> columns =
        run.columns;  // copies: pairs are written, and might lie over the run's own
    const std::uint32_t* ids = run.ids;
    const float* lo0 = columns.lo[0];
    const float last = hi_on_sweep_axis_;
    std::size_t i = from;
    for (;;) {
      Pair* out = writer.reserve(kBlock + kSweepSlack);
      const std::size_t block_end = std::min(run.end, i + kBlock);
      // As the run is sorted, the last lane within reach means that all are.
      while (i + 2 * lanes <= block_end && lo0[i + 2 * lanes - 1] <= last) {
        const Mask first = hits(columns, i), second = hits(columns, i + lanes);
        if (HWY_UNLIKELY(!hn::AllFalse(df, hn::Or(first, second)))) {
          out = store(first, ids + i, out);
          out = store(second, ids + i + lanes, out);
        }
        i += 2 * lanes;
      }
      for (; i < block_end; i += lanes) {
        Mask reached = hn::Le(hn::LoadU(df, lo0 + i), hi_[0]);
        if (block_end - i < lanes) reached = hn::And(reached, hn::FirstN(df, block_end - i));
        const Mask hit = hn::And(reached, hits(columns, i));
        if (HWY_UNLIKELY(!hn::AllFalse(df, hit))) out = store(hit, ids + i, out);
        const std::size_t count = hn::CountTrue(df, reached);
        if (count < lanes) {
          i += count;
          break;
        }
      }
      writer.commit(out);
      if (i < block_end || block_end == run.end) return i - from;
    }
  }

 private:
  Mask hits(const BoxColumns<Dim>& columns, std::size_t i) const {
    Mask hit = hn::And(hn::Le(hn::LoadU(df, columns.lo[1] + i), hi_[1]),
                       hn::Le(lo_[1], hn::LoadU(df, columns.hi[1] + i)));
    if constexpr (Dim == 3)
      hit = hn::And(hit, hn::And(hn::Le(hn::LoadU(df, columns.lo[2] + i), hi_[2]),
                                 hn::Le(lo_[2], hn::LoadU(df, columns.hi[2] + i))));
    if constexpr (begins == Begins::anywhere)
      hit = hn::And(hit, hn::Le(lo_[0], hn::LoadU(df, columns.hi[0] + i)));
    return hit;
  }

  // Writes a whole vector of pairs and keeps those of the mask: no branch for each.
  Pair* store(Mask hit, const std::uint32_t* ids, Pair* out) const {
    const unsigned bits = mask_bits(df, hit);
    const Ids others = compress(du, hn::LoadU(du, ids), bits);
    hn::StoreInterleaved2(hn::Min(id_, others), hn::Max(id_, others), du,
                          reinterpret_cast<std::uint32_t*>(out));
    return out + std::popcount(bits);
  }

  Floats lo_[Dim], hi_[Dim];
  Ids id_;
  float hi_on_sweep_axis_;
};

template <int Dim>
std::uint64_t sweep_run_simd(const SortedRun<Dim>& run, std::size_t stop, PairWriter& writer) {
  std::uint64_t tested = 0;
  for (std::size_t i = run.begin; i < stop; ++i)
    tested += Row<Dim, Begins::before_all>(run.columns, i, run.ids[i]).sweep(run, i + 1, writer);
  return tested;
}

template <int Dim>
std::uint64_t sweep_two_runs_simd(const SortedRun<Dim>& a, const SortedRun<Dim>& b, PairWriter& writer) {
  std::uint64_t tested = 0;
  std::size_t i = a.begin, j = b.begin;
  while (i < a.end && j < b.end) {
    // The box that begins first meets those of the other run that begin within it; of two that begin
    // together a's is the first, so that their pair is met once. A box that meets none costs one comparison.
    const float a_lo = a.columns.lo[0][i], b_lo = b.columns.lo[0][j];
    if (a_lo <= b_lo) {
      if (b_lo <= a.columns.hi[0][i])
        tested += Row<Dim, Begins::before_all>(a.columns, i, a.ids[i]).sweep(b, j, writer);
      ++i;
    } else {
      if (a_lo <= b.columns.hi[0][j])
        tested += Row<Dim, Begins::before_all>(b.columns, j, b.ids[j]).sweep(a, i, writer);
      ++j;
    }
  }
  return tested;
}

template <int Dim>
std::uint64_t sweep_rows_simd(const SortedRun<Dim>& few, const SortedRun<Dim>& many, double longest,
                              PairWriter& writer) {
  std::uint64_t tested = 0;
  std::size_t from = many.begin;
  for (std::size_t i = few.begin; i < few.end; ++i) {
    // Rounding keeps order: what begins before this ends before the box does.
    const double first = static_cast<double>(few.columns.lo[0][i]) - longest;
    while (from < many.end && static_cast<double>(many.columns.lo[0][from]) < first) ++from;
    if (from < many.end)
      tested += Row<Dim, Begins::anywhere>(few.columns, i, few.ids[i]).sweep(many, from, writer);
  }
  return tested;
}

template <int Dim>
std::uint64_t sweep_box_simd(const Box<Dim>& box, std::uint32_t id, const SortedRun<Dim>& run,
                             PairWriter& writer) {
  BoxColumns<Dim> one;
  for (int axis = 0; axis < Dim; ++axis) {
    one.lo[axis] = &box.lo[axis];
    one.hi[axis] = &box.hi[axis];
  }
  return Row<Dim, Begins::anywhere>(one, 0, id).sweep(run, run.begin, writer);
}

// HWY_EXPORT takes plain functions.
#define WINNOW_PLAIN(Dim)                                                                                    \
  std::uint64_t sweep_run_##Dim(const SortedRun<Dim>& run, std::size_t stop, PairWriter& writer) {           \
    return sweep_run_simd<Dim>(run, stop, writer);                                                           \
  }                                                                                                          \
  std::uint64_t sweep_two_runs_##Dim(const SortedRun<Dim>& a, const SortedRun<Dim>& b, PairWriter& writer) { \
    return sweep_two_runs_simd<Dim>(a, b, writer);                                                           \
  }                                                                                                          \
  std::uint64_t sweep_rows_##Dim(const SortedRun<Dim>& few, const SortedRun<Dim>& many, double longest,      \
                                 PairWriter& writer) {                                                       \
    return sweep_rows_simd<Dim>(few, many, longest, writer);                                                 \
  }                                                                                                          \
  std::uint64_t sweep_box_##Dim(const Box<Dim>& box, std::uint32_t id, const SortedRun<Dim>& run,            \
                                PairWriter& writer) {                                                        \
    return sweep_box_simd<Dim>(box, id, run, writer);                                                        \
  }
WINNOW_PLAIN(2)
WINNOW_PLAIN(3)
#undef WINNOW_PLAIN

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

#define WINNOW_DISPATCH(Dim)                                                                                \
  HWY_EXPORT(sweep_run_##Dim);                                                                              \
  HWY_EXPORT(sweep_two_runs_##Dim);                                                                         \
  HWY_EXPORT(sweep_rows_##Dim);                                                                             \
  HWY_EXPORT(sweep_box_##Dim);                                                                              \
  template <>                                                                                               \
  std::uint64_t sweep_run<Dim>(const SortedRun<Dim>& run, std::size_t stop, PairWriter& writer) {           \
    if (scalar_forced()) return sweep_run_scalar<Dim>(run, stop, writer);                                   \
    return HWY_DYNAMIC_DISPATCH(sweep_run_##Dim)(run, stop, writer);                                        \
  }                                                                                                         \
  template <>                                                                                               \
  std::uint64_t sweep_two_runs<Dim>(const SortedRun<Dim>& a, const SortedRun<Dim>& b, PairWriter& writer) { \
    if (scalar_forced()) return sweep_two_runs_scalar<Dim>(a, b, writer);                                   \
    return HWY_DYNAMIC_DISPATCH(sweep_two_runs_##Dim)(a, b, writer);                                        \
  }                                                                                                         \
  template <>                                                                                               \
  std::uint64_t sweep_rows<Dim>(const SortedRun<Dim>& few, const SortedRun<Dim>& many, double longest,      \
                                PairWriter& writer) {                                                       \
    if (scalar_forced()) return sweep_rows_scalar<Dim>(few, many, longest, writer);                         \
    return HWY_DYNAMIC_DISPATCH(sweep_rows_##Dim)(few, many, longest, writer);                              \
  }                                                                                                         \
  template <>                                                                                               \
  std::uint64_t sweep_box<Dim>(const Box<Dim>& box, std::uint32_t id, const SortedRun<Dim>& run,            \
                               PairWriter& writer) {                                                        \
    if (scalar_forced()) return sweep_box_scalar<Dim>(box, id, run, writer);                                \
    return HWY_DYNAMIC_DISPATCH(sweep_box_##Dim)(box, id, run, writer);                                     \
  }
WINNOW_DISPATCH(2)
WINNOW_DISPATCH(3)
#undef WINNOW_DISPATCH

}  // namespace winnow
#endif
