// Per cell: 1 the box of its queries  2 candidates within the radius of that box, copied side by side  3 each
// query against all of them, hits stored by compression without a branch.
#include "neighbours/neighbours_kernel.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbours/neighbours_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Bounds of the points [begin, end), in every lane.
template <int Dim, class Real, class V = hn::Vec<hn::ScalableTag<Real>>>
HWY_INLINE void bounds_in_lanes(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end,
                                V (&lo)[Dim], V (&hi)[Dim]) {
  const hn::ScalableTag<Real> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<Real>());
  // Lanes past the end show the last vector's first point once more.
  const std::size_t last = begin + (end - begin - 1) / lanes * lanes;
  const auto inside = hn::FirstN(d, end - last);
  for (int axis = 0; axis < Dim; ++axis) {
    const Real* x = points.x[axis];
    lo[axis] = hi[axis] = hn::IfThenElse(inside, hn::LoadU(d, x + last), hn::Set(d, x[last]));
  }
  for (std::size_t i = begin; i < last; i += lanes) {
    for (int axis = 0; axis < Dim; ++axis) {
      const V x = hn::LoadU(d, points.x[axis] + i);
      lo[axis] = hn::Min(lo[axis], x);
      hi[axis] = hn::Max(hi[axis], x);
    }
  }
  for (int axis = 0; axis < Dim; ++axis) {
    lo[axis] = hn::MinOfLanes(d, lo[axis]);
    hi[axis] = hn::MaxOfLanes(d, hi[axis]);
  }
}

template <int Dim, class Real, bool Moved, bool Distances>
class CellKernel {
  using D = hn::ScalableTag<Real>;
  using V = hn::Vec<D>;
  using Image = PeriodicImage<Dim, Real>;
  using Near = NearPoints<Dim, Real>;
  using Output = NeighbourOutput<Dim, Real>;

 public:
  explicit CellKernel(const NeighbourCells<Dim, Real>& cells) : cells_(cells) {}

  std::uint64_t run(Near& near, const Output& out, std::uint64_t written, std::uint64_t* row_ends) {
    Output at = out;
    for (std::size_t c = 0; c < cells_.size; ++c) {
      gather(c, near);
      at = add_rows(c, near, at, out.ids, written, row_ends);
    }
    return written + static_cast<std::uint64_t>(at.ids - out.ids);
  }

 private:
  HWY_NOINLINE Output add_rows(std::size_t c, const Near& points, Output at, const std::uint32_t* origin,
                               std::uint64_t written, std::uint64_t* row_ends) const {
    // Locals here and below, for a store of vectors might change any member as far as the compiler knows.
    const PointColumns<Dim, Real> queries = cells_.queries;
    const std::size_t begin = cells_.begins[c], end = cells_.begins[c + 1];
    const bool half = cells_.half;
    // The cell's own points come first, and the vectors that hold them are looked at apart: two, mostly, so
    // that the processor needn't foresee how many.
    const std::size_t own = cells_.self ? std::max(end - begin, 2 * lanes_) : 0;
    Candidates near(points, cells_.squared_radius);
    for (std::size_t query = begin; query < end; ++query) {
      for (int axis = 0; axis < Dim; ++axis) near.query[axis] = hn::Set(d_, queries.x[axis][query]);
      if constexpr (Moved) {
        for (const auto& segment : points.segments) {
          near.see_through(*segment.image);
          const std::uint32_t* const first = at.ids;
          near.add_row(segment.begin, segment.end, segment.begin == 0 ? own : 0, query - begin, half, at);
          at.shifts = std::fill_n(at.shifts, at.ids - first, segment.image->shift);
        }
      } else {
        near.add_row(0, near.count, own, query - begin, half, at);
      }
      // Where the rows after the next few go, so that it is in the cache by then.
      hwy::Prefetch(at.ids + 128);
      hwy::Prefetch(at.ids + 144);
      row_ends[query] = written + static_cast<std::uint64_t>(at.ids - origin);
    }
    return at;
  }

  // The candidates as a row sees them.
  struct Candidates {
    Candidates(const Near& near, Real radius)
        : ids(near.ids.data()), count(near.count), squared_radius(hn::Set(d_, radius)) {
      for (int axis = 0; axis < Dim; ++axis) x[axis] = near.x[axis].data();
    }

    HWY_INLINE void see_through(const Image& image) {
      for (int axis = 0; axis < Dim; ++axis) move[axis] = hn::Set(d_, image.move[axis]);
    }

    // Those of [begin, end) that are the query's neighbours. Before `own` stand the cell's own points, among
    // them the query, at `self`.
    HWY_INLINE void add_row(std::size_t begin, std::size_t end, std::size_t own, std::size_t self, bool half,
                            NeighbourOutput<Dim, Real>& at) const {
      std::size_t i = begin;
      while (i < own) {
        std::uint64_t kept = half ? later(self, i) : others(self, i);
        for (const std::size_t block_end = std::min(own, i + 64); i < block_end; i += lanes_) {
          const V sum = squared_distances(i);
          const unsigned bits = mask_bits(d_, hn::Le(sum, squared_radius)) & static_cast<unsigned>(kept);
          store(sum, bits, static_cast<std::size_t>(std::popcount(bits)), i, at);
          kept >>= lanes_;
        }
      }
      for (; i < end; i += lanes_) {
        const V sum = squared_distances(i);
        const auto near = hn::Le(sum, squared_radius);
        store(sum, mask_bits(d_, near), hn::CountTrue(d_, near), i, at);
      }
    }

    // Subtracted this way round, a candidate needs no register of its own.
    HWY_INLINE V squared_distances(std::size_t i) const {
      V sum = hn::Zero(d_);
      for (int axis = 0; axis < Dim; ++axis) {
        V apart = hn::Sub(query[axis], hn::LoadU(d_, x[axis] + i));
        if constexpr (Moved) apart = hn::Sub(apart, move[axis]);
        sum = axis == 0 ? hn::Mul(apart, apart) : hn::Add(sum, hn::Mul(apart, apart));
      }
      return sum;
    }

    HWY_INLINE void store(V sum, unsigned bits, std::size_t hits, std::size_t i,
                          NeighbourOutput<Dim, Real>& at) const {
      const hn::Rebind<std::uint32_t, D> di;
      if constexpr (Distances) {
        hn::StoreU(compress(d_, sum, bits), d_, at.squared_distances);
        at.squared_distances += hits;
      }
      hn::StoreU(compress(di, hn::LoadU(di, ids + i), bits), di, at.ids);
      at.ids += hits;
    }

    // Of the 64 candidates from `i` on, those that are not, or come after, the query itself.
    HWY_INLINE static std::uint64_t others(std::size_t self, std::size_t i) {
      return ~(std::uint64_t{self - i < 64} << (self - i) % 64);
    }
    HWY_INLINE static std::uint64_t later(std::size_t self, std::size_t i) {
      return self < i ? ~std::uint64_t{0} : self - i < 64 ? ~std::uint64_t{1} << (self - i) : 0;
    }

    const Real* x[Dim];
    const std::uint32_t* ids;
    std::size_t count;
    V squared_radius;
    V query[Dim];
    V move[Dim];
  };

  // Distances only shrink when a query is replaced by the nearest place of the queries' box, and rounding
  // keeps that order: who is dropped here is no query's neighbour.
  HWY_NOINLINE void gather(std::size_t c, Near& near) const {
    const std::size_t begin = cells_.begins[c], end = cells_.begins[c + 1];
    const CandidateRange* const ranges = cells_.ranges + c * cells_.stride;
    V lo[Dim], hi[Dim];
    bounds_in_lanes<Dim, Real>(cells_.queries, begin, end, lo, hi);
    near.count = 0;
    near.segments.clear();
    if (cells_.self) copy_own(begin, end, near);
    if (cells_.images.empty()) close_segment(near);
    std::size_t range = 0;
    for (const auto& [image, ranges_end] : cells_.images) {
      const std::size_t first = range == 0 ? 0 : near.count;
      std::uint64_t* last = near.steps.data();
      for (; range < ranges_end; ++range) last = add_steps(ranges[range], last);
      copy_near(*image, lo, hi, last, near);
      if constexpr (Moved) near.segments.push_back({first, near.count, image});
      close_segment(near);
    }
  }

  // Ranges are a few vectors long, and nobody foresees how many: so that the processor needn't, the first
  // four steps are always written, and all ranges become one loop.
  static std::uint64_t* add_steps(CandidateRange range, std::uint64_t* to) {
    constexpr std::uint64_t all = (1u << lanes_) - 1;
    const std::size_t size = range.end - range.begin;
    if (size == 0) return to;
    const std::size_t steps = (size + lanes_ - 1) / lanes_;
    const std::uint64_t first = range.begin | all << 32;
    const hn::ScalableTag<std::uint64_t> d64;
    for (std::size_t k = 0; k < 4; k += hn::MaxLanes(d64))
      hn::StoreU(hn::Add(hn::Set(d64, first + k * lanes_),
                         hn::ShiftLeft<std::bit_width(lanes_) - 1>(hn::Iota(d64, 0))),
                 d64, to + k);
    for (std::size_t k = 4; k < steps; ++k) to[k] = first + k * lanes_;
    to[steps - 1] = (range.begin + (steps - 1) * lanes_) | all >> (steps * lanes_ - size) << 32;
    return to + steps;
  }

  // Past a segment's end stand points that are nobody's neighbours; the next one starts at a whole vector,
  // and after the two that a row looks at apart.
  static void close_segment(Near& near) {
    const V nowhere = hn::Set(d_, std::numeric_limits<Real>::quiet_NaN());
    for (int axis = 0; axis < Dim; ++axis) {
      Real* const to = near.x[axis].data() + near.count;
      hn::StoreU(axis == 0 ? nowhere : hn::Zero(d_), d_, to);
      hn::StoreU(axis == 0 ? nowhere : hn::Zero(d_), d_, to + lanes_);
    }
    if constexpr (Moved) near.count = std::max((near.count + lanes_ - 1) / lanes_ * lanes_, 2 * lanes_);
  }

  void copy_own(std::size_t begin, std::size_t end, Near& near) const {
    const hn::Rebind<std::uint32_t, D> di;
    const auto copy = [&](auto d, const auto* from, auto* to) HWY_ATTR {
      for (std::size_t i = begin; i < end; i += lanes_)
        hn::StoreU(hn::LoadU(d, from + i), d, to + (i - begin));
    };
    for (int axis = 0; axis < Dim; ++axis) copy(d_, cells_.points.x[axis], near.x[axis].data());
    copy(di, cells_.points.ids, near.ids.data());
    near.count = end - begin;
  }

  // Apart from the rest, for it needs all the registers there are.
  HWY_NOINLINE void copy_near(const Image& image, const V (&low)[Dim], const V (&high)[Dim],
                              const std::uint64_t* last, Near& near) const {
    const hn::Rebind<std::uint32_t, D> di;
    V lo[Dim], hi[Dim], move[Dim];
    const Real* from[Dim];
    Real* to[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      lo[axis] = low[axis];
      hi[axis] = high[axis];
      from[axis] = cells_.points.x[axis];
      to[axis] = near.x[axis].data();
      if constexpr (Moved) move[axis] = hn::Set(d_, image.move[axis]);
    }
    const std::uint32_t* const from_ids = cells_.points.ids;
    std::uint32_t* const to_ids = near.ids.data();
    const V squared_radius = hn::Set(d_, cells_.squared_radius);
    std::size_t count = near.count;
    for (const std::uint64_t* step = near.steps.data(); step != last; ++step) {
      const std::size_t i = static_cast<std::uint32_t>(*step);
      V x[Dim], sum = hn::Zero(d_);
      for (int axis = 0; axis < Dim; ++axis) {
        x[axis] = hn::LoadU(d_, from[axis] + i);
        V apart;
        if constexpr (Moved) {
          const V above = hn::Add(hn::Sub(x[axis], hi[axis]), move[axis]);
          const V below = hn::Sub(hn::Sub(lo[axis], x[axis]), move[axis]);
          apart = hn::Max(hn::Max(above, below), hn::Zero(d_));
        } else {
          apart = hn::Sub(x[axis], hn::Max(lo[axis], hn::Min(hi[axis], x[axis])));
        }
        sum = axis == 0 ? hn::Mul(apart, apart) : hn::Add(sum, hn::Mul(apart, apart));
      }
      // Those past the range's end come last, and the next vector is stored over them.
      const unsigned bits = mask_bits(d_, hn::Le(sum, squared_radius));
      for (int axis = 0; axis < Dim; ++axis) compress_store(d_, x[axis], bits, to[axis] + count);
      compress_store(di, hn::LoadU(di, from_ids + i), bits, to_ids + count);
      count += static_cast<std::size_t>(std::popcount(bits & static_cast<unsigned>(*step >> 32)));
    }
    near.count = count;
  }

  static constexpr D d_{};
  static constexpr std::size_t lanes_ = hn::MaxLanes(D());
  const NeighbourCells<Dim, Real>& cells_;
};

template <int Dim, class Real>
std::uint64_t neighbours_of_cells_simd(const NeighbourCells<Dim, Real>& cells, NearPoints<Dim, Real>& near,
                                       const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                       std::uint64_t* row_ends) {
  const bool moved = out.shifts != nullptr, distances = out.squared_distances != nullptr;
  if (moved && distances) return CellKernel<Dim, Real, true, true>(cells).run(near, out, written, row_ends);
  if (moved) return CellKernel<Dim, Real, true, false>(cells).run(near, out, written, row_ends);
  if (distances) return CellKernel<Dim, Real, false, true>(cells).run(near, out, written, row_ends);
  return CellKernel<Dim, Real, false, false>(cells).run(near, out, written, row_ends);
}

template <int Dim, class Real>
void bounds_of_run_simd(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end,
                        std::array<Real, Dim>& lo, std::array<Real, Dim>& hi) {
  hn::Vec<hn::ScalableTag<Real>> low[Dim], high[Dim];
  bounds_in_lanes<Dim, Real>(points, begin, end, low, high);
  for (int axis = 0; axis < Dim; ++axis) {
    lo[axis] = hn::GetLane(low[axis]);
    hi[axis] = hn::GetLane(high[axis]);
  }
}

#define WINNOW_TARGET(Suffix, Dim, Real)                                                                 \
  std::uint64_t neighbours_##Suffix(const NeighbourCells<Dim, Real>& cells, NearPoints<Dim, Real>& near, \
                                    const NeighbourOutput<Dim, Real>& out, std::uint64_t written,        \
                                    std::uint64_t* row_ends) {                                           \
    return neighbours_of_cells_simd(cells, near, out, written, row_ends);                                \
  }                                                                                                      \
  void bounds_##Suffix(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end,        \
                       std::array<Real, Dim>& lo, std::array<Real, Dim>& hi) {                           \
    bounds_of_run_simd<Dim, Real>(points, begin, end, lo, hi);                                           \
  }
WINNOW_TARGET(2d_float, 2, float)
WINNOW_TARGET(3d_float, 3, float)
WINNOW_TARGET(2d_double, 2, double)
WINNOW_TARGET(3d_double, 3, double)
#undef WINNOW_TARGET

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

#define WINNOW_DISPATCH(Suffix, Dim, Real)                                                                 \
  HWY_EXPORT(neighbours_##Suffix);                                                                         \
  HWY_EXPORT(bounds_##Suffix);                                                                             \
  template <>                                                                                              \
  std::uint64_t neighbours_of_cells<Dim, Real>(                                                            \
      const NeighbourCells<Dim, Real>& cells, NearPoints<Dim, Real>& near,                                 \
      const NeighbourOutput<Dim, Real>& out, std::uint64_t written, std::uint64_t* row_ends) {             \
    if (scalar_forced()) return neighbours_of_cells_scalar(cells, out, written, row_ends);                 \
    return HWY_DYNAMIC_DISPATCH(neighbours_##Suffix)(cells, near, out, written, row_ends);                 \
  }                                                                                                        \
  template <>                                                                                              \
  void bounds_of_run<Dim, Real>(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end, \
                                std::array<Real, Dim>& lo, std::array<Real, Dim>& hi) {                    \
    if (scalar_forced()) return bounds_of_run_scalar<Dim, Real>(points, begin, end, lo, hi);               \
    HWY_DYNAMIC_DISPATCH(bounds_##Suffix)(points, begin, end, lo, hi);                                     \
  }
WINNOW_DISPATCH(2d_float, 2, float)
WINNOW_DISPATCH(3d_float, 3, float)
WINNOW_DISPATCH(2d_double, 2, double)
WINNOW_DISPATCH(3d_double, 3, double)
#undef WINNOW_DISPATCH

}  // namespace winnow
#endif
