// Per cell: 1 the box of its queries  2 candidates within the radius of that box, copied side by side  3 each
// query against all of them, hits stored by compression without a branch.
#include "simd/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/neighbours.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int Dim, class Real, bool Moved, bool Distances>
class CellKernel {
  using D = hn::ScalableTag<Real>;
  using V = decltype(hn::Zero(D()));
  using Image = PeriodicImage<Dim, Real>;
  using Step = typename NearPoints<Dim, Real>::Step;

 public:
  CellKernel(const NeighbourCell<Dim, Real>& cell, NearPoints<Dim, Real>& near) : cell_(cell), near_(near) {
    for (int axis = 0; axis < Dim; ++axis) near_x_[axis] = near.x[axis].data();
  }

  std::uint64_t run(const NeighbourOutput<Dim, Real>& out, std::uint64_t written, std::uint64_t* row_ends) {
    gather();
    NeighbourOutput<Dim, Real> at = out;
    for (std::size_t query = cell_.begin; query < cell_.end; ++query) {
      at = row(query, at);
      row_ends[query] = written + static_cast<std::uint64_t>(at.ids - out.ids);
    }
    return written + static_cast<std::uint64_t>(at.ids - out.ids);
  }

 private:
  // Distances only shrink when a query is replaced by the nearest place of the queries' box, and rounding
  // keeps that order: who is dropped here is no query's neighbour.
  void gather() {
    count_ = 0;
    near_.segments.clear();
    if (cell_.self) {
      open_segment(cell_.home);
      copy(cell_.begin, cell_.end);
    }
    for (auto range = cell_.ranges.begin(); range != cell_.ranges.end();) {
      const Image* image = range->image;
      if (near_.segments.empty() || near_.segments.back().image != image) open_segment(image);
      Step* steps = near_.steps.data();
      for (; range != cell_.ranges.end() && range->image == image; ++range)
        steps = add_steps(range->begin, range->end, steps);
      copy_near(near_.steps.data(), steps);
    }
    close_segment();
  }

  // Ranges are a few vectors long, and nobody foresees how many: so that the processor needn't, the first
  // four steps are always written, and all ranges become one loop.
  static Step* add_steps(std::size_t begin, std::size_t end, Step* to) {
    constexpr std::uint32_t all = (1u << lanes_) - 1;
    const std::size_t steps = (end - begin + lanes_ - 1) / lanes_;
    for (std::size_t k = 0; k < 4; ++k) to[k] = {static_cast<std::uint32_t>(begin + k * lanes_), all};
    for (std::size_t k = 4; k < steps; ++k) to[k] = {static_cast<std::uint32_t>(begin + k * lanes_), all};
    to[steps - 1].kept = all >> (steps * lanes_ - (end - begin));
    return to + steps;
  }

  void open_segment(const Image* image) {
    close_segment();
    near_.segments.push_back({count_, count_, image});
    if constexpr (Moved)
      for (int axis = 0; axis < Dim; ++axis) move_[axis] = hn::Set(d_, image->move[axis]);
  }

  // Past a segment's end stand points that are nobody's neighbours; the next one starts at a whole vector.
  void close_segment() {
    if (near_.segments.empty()) return;
    near_.segments.back().end = count_;
    hn::StoreU(hn::Set(d_, std::numeric_limits<Real>::quiet_NaN()), d_, near_x_[0] + count_);
    for (int axis = 1; axis < Dim; ++axis) hn::StoreU(hn::Zero(d_), d_, near_x_[axis] + count_);
    count_ = (count_ + lanes_ - 1) / lanes_ * lanes_;
  }

  void copy(std::size_t begin, std::size_t end) {
    const hn::Rebind<std::uint32_t, D> di;
    for (std::size_t i = begin; i < end; i += lanes_) {
      const std::size_t to = count_ + (i - begin);
      for (int axis = 0; axis < Dim; ++axis)
        hn::StoreU(hn::LoadU(d_, cell_.points.x[axis] + i), d_, near_x_[axis] + to);
      hn::StoreU(hn::LoadU(di, cell_.points.ids + i), di, near_.ids.data() + to);
    }
    count_ += end - begin;
  }

  void copy_near(const Step* step, const Step* last) {
    // Locals, for the stores below might change any member as far as the compiler knows.
    const Candidates near(*this);
    const hn::Rebind<std::uint32_t, D> di;
    V lo[Dim], hi[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      lo[axis] = hn::Set(d_, cell_.lo[axis]);
      hi[axis] = hn::Set(d_, cell_.hi[axis]);
    }
    const PointColumns<Dim, Real> points = cell_.points;
    std::size_t count = count_;
    for (; step != last; ++step) {
      const std::size_t i = step->begin;
      V x[Dim], sum = hn::Zero(d_);
      for (int axis = 0; axis < Dim; ++axis) {
        x[axis] = hn::LoadU(d_, points.x[axis] + i);
        V above = hn::Sub(x[axis], hi[axis]), below = hn::Sub(lo[axis], x[axis]);
        if constexpr (Moved) {
          above = hn::Add(above, near.move[axis]);
          below = hn::Sub(below, near.move[axis]);
        }
        const V apart = hn::Max(hn::Max(above, below), hn::Zero(d_));
        sum = axis == 0 ? hn::Mul(apart, apart) : hn::Add(sum, hn::Mul(apart, apart));
      }
      // Those past the range's end come last, and the next vector is stored over them.
      const unsigned bits = mask_bits(d_, hn::Le(sum, near.squared_radius));
      for (int axis = 0; axis < Dim; ++axis) compress_store(d_, x[axis], bits, near.x[axis] + count);
      compress_store(di, hn::LoadU(di, points.ids + i), bits, near.ids + count);
      count += static_cast<std::size_t>(std::popcount(bits & step->kept));
    }
    count_ = count;
  }

  // The candidates as a row sees them.
  struct Candidates {
    explicit Candidates(const CellKernel& kernel)
        : ids(kernel.near_.ids.data()), squared_radius(hn::Set(d_, kernel.cell_.squared_radius)) {
      for (int axis = 0; axis < Dim; ++axis) {
        x[axis] = kernel.near_x_[axis];
        if constexpr (Moved) move[axis] = kernel.move_[axis];
      }
    }

    // Squared distances of a query to the candidates from `i` on.
    HWY_INLINE V squared(const V (&query)[Dim], std::size_t i) const {
      V sum = hn::Zero(d_);
      for (int axis = 0; axis < Dim; ++axis) {
        V apart = hn::Sub(hn::LoadU(d_, x[axis] + i), query[axis]);
        if constexpr (Moved) apart = hn::Add(apart, move[axis]);
        sum = axis == 0 ? hn::Mul(apart, apart) : hn::Add(sum, hn::Mul(apart, apart));
      }
      return sum;
    }

    Real* x[Dim];
    std::uint32_t* ids;
    V squared_radius;
    V move[Dim];
  };

  HWY_INLINE static void store(const Candidates& near, V sum, unsigned bits, std::size_t i,
                               NeighbourOutput<Dim, Real>& at) {
    const hn::Rebind<std::uint32_t, D> di;
    if constexpr (Distances) at.squared_distances += compress_store(d_, sum, bits, at.squared_distances);
    at.ids += compress_store(di, hn::LoadU(di, near.ids + i), bits, at.ids);
  }

  NeighbourOutput<Dim, Real> row(std::size_t query_index, NeighbourOutput<Dim, Real> at) {
    V query[Dim];
    for (int axis = 0; axis < Dim; ++axis) query[axis] = hn::Set(d_, cell_.queries.x[axis][query_index]);
    // The cell's own points come first; the vectors that hold them are looked at apart.
    std::size_t own = cell_.self ? cell_.end - cell_.begin : 0;
    const std::size_t self = query_index - cell_.begin;
    for (const auto& segment : near_.segments) {
      const std::uint32_t* first = at.ids;
      if constexpr (Moved)
        for (int axis = 0; axis < Dim; ++axis) move_[axis] = hn::Set(d_, segment.image->move[axis]);
      const Candidates near(*this);
      const std::size_t end = segment.end, lanes = lanes_;
      std::size_t i = segment.begin;
      for (; i < own; i += lanes) {
        const V sum = near.squared(query, i);
        const unsigned bits = mask_bits(d_, hn::Le(sum, near.squared_radius));
        store(near, sum, bits & (cell_.half ? later(self, i) : others(self, i)), i, at);
      }
      own = 0;
      for (; i < end; i += lanes) {
        const V sum = near.squared(query, i);
        store(near, sum, mask_bits(d_, hn::Le(sum, near.squared_radius)), i, at);
      }
      if (at.shifts != nullptr) at.shifts = std::fill_n(at.shifts, at.ids - first, segment.image->shift);
    }
    return at;
  }

  // Lanes of the vector at `i` that are not, or come after, the query itself.
  HWY_INLINE static unsigned others(std::size_t self, std::size_t i) {
    return ~(self - i < lanes_ ? 1u << (self - i) : 0u);
  }
  HWY_INLINE static unsigned later(std::size_t self, std::size_t i) {
    return self < i ? ~0u : self - i < lanes_ ? ~1u << (self - i) : 0u;
  }

  static constexpr D d_{};
  static constexpr std::size_t lanes_ = hn::MaxLanes(D());
  const NeighbourCell<Dim, Real>& cell_;
  NearPoints<Dim, Real>& near_;
  Real* near_x_[Dim];
  std::size_t count_ = 0;
  V move_[Dim];
};

template <int Dim, class Real>
std::uint64_t neighbours_of_cell_simd(const NeighbourCell<Dim, Real>& cell, NearPoints<Dim, Real>& near,
                                      const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                      std::uint64_t* row_ends) {
  const bool moved = out.shifts != nullptr, distances = out.squared_distances != nullptr;
  if (moved && distances) return CellKernel<Dim, Real, true, true>(cell, near).run(out, written, row_ends);
  if (moved) return CellKernel<Dim, Real, true, false>(cell, near).run(out, written, row_ends);
  if (distances) return CellKernel<Dim, Real, false, true>(cell, near).run(out, written, row_ends);
  return CellKernel<Dim, Real, false, false>(cell, near).run(out, written, row_ends);
}

#define WINNOW_TARGET(Name, Dim, Real)                                                  \
  std::uint64_t Name(const NeighbourCell<Dim, Real>& cell, NearPoints<Dim, Real>& near, \
                     const NeighbourOutput<Dim, Real>& out, std::uint64_t written,      \
                     std::uint64_t* row_ends) {                                         \
    return neighbours_of_cell_simd(cell, near, out, written, row_ends);                 \
  }
WINNOW_TARGET(neighbours_2d_float, 2, float)
WINNOW_TARGET(neighbours_3d_float, 3, float)
WINNOW_TARGET(neighbours_2d_double, 2, double)
WINNOW_TARGET(neighbours_3d_double, 3, double)
#undef WINNOW_TARGET

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

#define WINNOW_DISPATCH(Name, Dim, Real)                                                       \
  HWY_EXPORT(Name);                                                                            \
  template <>                                                                                  \
  std::uint64_t neighbours_of_cell<Dim, Real>(                                                 \
      const NeighbourCell<Dim, Real>& cell, NearPoints<Dim, Real>& near,                       \
      const NeighbourOutput<Dim, Real>& out, std::uint64_t written, std::uint64_t* row_ends) { \
    if (scalar_forced()) return neighbours_of_cell_scalar(cell, out, written, row_ends);       \
    return HWY_DYNAMIC_DISPATCH(Name)(cell, near, out, written, row_ends);                     \
  }
WINNOW_DISPATCH(neighbours_2d_float, 2, float)
WINNOW_DISPATCH(neighbours_3d_float, 3, float)
WINNOW_DISPATCH(neighbours_2d_double, 2, double)
WINNOW_DISPATCH(neighbours_3d_double, 3, double)
#undef WINNOW_DISPATCH

}  // namespace winnow
#endif
