#include "methods/tile_sweep/scatter.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/tile_sweep/scatter_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "methods/tile_sweep/quantise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::tile_sweep::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
template <int Dim, class... Args>
bool scatter_to_tiles_simd(Args&&... args) {
  return scatter_to_tiles_scalar<Dim>(args...);
}
#else
// Where a box begins and ends: in which row, given by its first tile, and in which column.
struct TileSpan {
  std::uint32_t row, column, last_row, last_column;

  std::uint32_t first() const { return row + column; }
  std::uint32_t last() const { return last_row + last_column; }
};

template <class D>
class TileFinder {
 public:
  explicit TileFinder(const TileGrid& grid)
      : rows_(grid.part[0].data()),
        columns_(grid.part[1].data()),
        lo_(hn::LoadDup128(D(), grid.index.lo)),
        per_unit_(hn::LoadDup128(D(), grid.index.per_unit)) {
    // Words 0 and 1 of the result: the lower corner on the grid's two axes; words 2 and 3: the upper one.
    alignas(16) std::uint8_t lo_words[16], hi_words[16];
    std::fill_n(lo_words, 16, std::uint8_t{255});
    std::fill_n(hi_words, 16, std::uint8_t{255});
    for (int k = 0; k < 4; ++k) {
      lo_words[k] = static_cast<std::uint8_t>(4 * grid.axis[k / 2] + k % 2);
      hi_words[4 + k] = lo_words[k];
    }
    const hn::Repartition<std::uint8_t, D> bytes;
    lo_words_ = hn::LoadDup128(bytes, lo_words);
    hi_words_ = hn::LoadDup128(bytes, hi_words);
  }

  // Indices of each box's corners, for `span`: four of 16 bits, in the lower half of the box's lanes.
  HWY_INLINE Words<D> indices(const Corners<D>& box) const {
    const hn::Repartition<std::uint32_t, D> words;
    const auto corners =
        hn::Or(hn::TableLookupBytesOr0(to_steps(D(), box.lo, lo_, per_unit_, most_), lo_words_),
               hn::TableLookupBytesOr0(to_steps(D(), box.hi, lo_, per_unit_, most_), hi_words_));
    // The mask is for NaNs, whose low bits may be anything on some processors.
    return hn::And(hn::BitCast(words, corners), hn::Set(words, (TileGrid::kTable - 1) * 0x00010001u));
  }
  HWY_INLINE TileSpan span(const std::uint16_t* indices) const {
    return {rows_[indices[0]], columns_[indices[1]], rows_[indices[2]], columns_[indices[3]]};
  }

 private:
  const std::uint16_t* rows_;
  const std::uint16_t* columns_;
  Floats<D> lo_, per_unit_;
  const Floats<D> most_ = hn::Set(D(), float{TileGrid::kTable - 1});
  Bytes<D> lo_words_, hi_words_;
};

// Deals blocks of boxes in three short loops instead of a long one: none waits for another's table look-ups,
// and none branches on a single box.
template <int Dim>
class Scatterer {
 public:
  Scatterer(const TileGrid& grid, TileChunks& chunks)
      : grid_(grid), chunks_(chunks), one_finder_(grid), finder_(grid) {}

  // Numbers of boxes are those in `boxes`; `tags` is null or has the tag of each.
  bool scatter(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end) {
    bool legal = true;
    for (std::size_t from = begin; from < end; from += kBlock) {
      const std::size_t count = std::min(kBlock, end - from);
      const std::size_t whole = count / boxes_in(kBoxes) * boxes_in(kBoxes);
      for (std::size_t k = 0; k < count; ++k)
        tags_[k] = tags == nullptr ? static_cast<std::uint32_t>(from + k) : tags[from + k];
      legal &= find_indices(kBoxes, finder_, boxes + from, 0, whole);
      legal &= find_indices(kOneBox, one_finder_, boxes + from, whole, count);
      find_tiles(count);
      write_first(kBoxes, boxes + from, 0, whole);
      write_first(kOneBox, boxes + from, whole, count);
      for (std::size_t k = 0; k < straddlers_; ++k) write_further(boxes + from, straddler_[k]);
    }
    return legal;
  }

 private:
  static constexpr std::size_t kBlock = 256;

  // Where the corners of each box are. Returns whether all boxes are legal.
  template <class D>
  HWY_INLINE bool find_indices(D d, const TileFinder<D>& finder_member, const Box<Dim>* boxes,
                               std::size_t begin, std::size_t end) {
    const TileFinder<D> finder = finder_member;  // in registers: the stores below could change a member
    const hn::Repartition<std::uint32_t, D> words;
    // The upper half of what is stored is the next box's, which comes next.
    const auto store = [&](Bounds indices, std::size_t k) HWY_ATTR {
      hn::StoreU(hn::BitCast(hn::FixedTag<std::uint64_t, 2>(), indices), hn::FixedTag<std::uint64_t, 2>(),
                 indices_ + k);
    };
    Legality<Dim, D> legality;
    for (std::size_t k = begin; k < end; k += boxes_in(d)) {
      const Corners<D> box = load_corners(d, boxes + k);
      legality.check(box);
      const Words<D> indices = finder.indices(box);
      store(lanes_of<0>(words, indices), k);
      if constexpr (boxes_in(D()) == 2) store(lanes_of<1>(words, indices), k + 1);
    }
    return legality.all();
  }
  // Each box's first tile, and which boxes have more.
  HWY_INLINE void find_tiles(std::size_t count) {
    const TileFinder<OneBox>& finder = one_finder_;
    std::size_t straddlers = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const TileSpan span = finder.span(reinterpret_cast<const std::uint16_t*>(indices_ + k));
      tile_[k] = span.first();
      straddler_[straddlers] = static_cast<std::uint32_t>(k);
      straddlers += span.first() != span.last();
    }
    straddlers_ = straddlers;
  }

  template <class D>
  HWY_INLINE void write_first(D d, const Box<Dim>* boxes, std::size_t begin, std::size_t end) {
    const Quantiser<Dim, D> quantiser;
    const hn::Repartition<std::uint32_t, D> words;
    const Scale* const scales = grid_.scales.data();
    std::uint32_t* const cursors = chunks_.cursors();
    QuantisedBox* out = chunks_.boxes();
    const auto write = [&](Bounds bounds, std::size_t k) HWY_ATTR {
      const std::uint32_t tile = tile_[k];
      std::uint32_t at = cursors[tile];
      if (HWY_UNLIKELY(TileChunks::chunk_is_full(at))) {
        at = chunks_.new_chunk(tile);
        out = chunks_.boxes();
      }
      cursors[tile] = at + 1;
      hwy::Prefetch(out + at + 8);  // two cache lines on: the processor does not follow so many streams
      write_box(bounds, tags_[k], out[at]);
    };
    for (std::size_t k = begin; k < end; k += boxes_in(d)) {
      hwy::Prefetch(boxes + k + kBlock);  // for find_indices, which would wait
      const Scale &first = scales[tile_[k]], &last = scales[tile_[k + boxes_in(d) - 1]];
      const Words<D> bounds = quantiser.bounds(load_corners(d, boxes + k), load_lanes(d, first.lo, last.lo),
                                               load_lanes(d, first.per_unit, last.per_unit));
      write(lanes_of<0>(words, bounds), k);
      if constexpr (boxes_in(D()) == 2) write(lanes_of<1>(words, bounds), k + 1);
    }
  }

  // The box's tiles but the first.
  HWY_INLINE void write_further(const Box<Dim>* boxes, std::size_t k) {
    const Quantiser<Dim, OneBox> quantiser;
    const Corners<OneBox> box = load_corners(kOneBox, boxes + k);
    const TileSpan span = one_finder_.span(reinterpret_cast<const std::uint16_t*>(indices_ + k));
    for (std::uint32_t row = span.row; row <= span.last_row; row += grid_.size[1]) {
      for (std::uint32_t column = span.column; column <= span.last_column; ++column) {
        const std::uint32_t seen = (row != span.row ? later_axis_bit(grid_.axis[0]) : 0) |
                                   (column != span.column ? later_axis_bit(grid_.axis[1]) : 0);
        if (seen == 0) continue;
        const Scale& scale = grid_.scales[row + column];
        write_box(quantiser.bounds(box, hn::Load(kOneBox, scale.lo), hn::Load(kOneBox, scale.per_unit)),
                  tags_[k] | seen, chunks_.push(row + column));
      }
    }
  }

  const TileGrid& grid_;
  TileChunks& chunks_;
  const TileFinder<OneBox> one_finder_;
  const TileFinder<std::remove_const_t<decltype(kBoxes)> > finder_;
  std::uint64_t indices_[kBlock + 1];
  std::uint32_t tile_[kBlock], tags_[kBlock], straddler_[kBlock + 1];
  std::size_t straddlers_ = 0;
};

template <int Dim>
bool scatter_to_tiles_simd(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin,
                           std::size_t end, const TileGrid& grid, TileChunks& chunks) {
  return Scatterer<Dim>(grid, chunks).scatter(boxes, tags, begin, end);
}
#endif

bool scatter_to_tiles_2d(const Box<2>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                         const TileGrid& grid, TileChunks& chunks) {
  return scatter_to_tiles_simd<2>(boxes, tags, begin, end, grid, chunks);
}
bool scatter_to_tiles_3d(const Box<3>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                         const TileGrid& grid, TileChunks& chunks) {
  return scatter_to_tiles_simd<3>(boxes, tags, begin, end, grid, chunks);
}

}  // namespace winnow::tile_sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow::tile_sweep {

HWY_EXPORT(scatter_to_tiles_2d);
HWY_EXPORT(scatter_to_tiles_3d);

template <>
bool scatter_to_tiles<2>(const Box<2>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                         const TileGrid& grid, TileChunks& chunks) {
  if (scalar_forced()) return scatter_to_tiles_scalar<2>(boxes, tags, begin, end, grid, chunks);
  return HWY_DYNAMIC_DISPATCH(scatter_to_tiles_2d)(boxes, tags, begin, end, grid, chunks);
}
template <>
bool scatter_to_tiles<3>(const Box<3>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                         const TileGrid& grid, TileChunks& chunks) {
  if (scalar_forced()) return scatter_to_tiles_scalar<3>(boxes, tags, begin, end, grid, chunks);
  return HWY_DYNAMIC_DISPATCH(scatter_to_tiles_3d)(boxes, tags, begin, end, grid, chunks);
}

}  // namespace winnow::tile_sweep
#endif
