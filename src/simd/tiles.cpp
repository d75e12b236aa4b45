#include "simd/tiles.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/tiles.cpp"
#include <hwy/foreach_target.h>

#include "simd/quantise-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
template <int Dim, class... Args>
bool deal_to_tiles_simd(Args&&... args) {
  return deal_to_tiles_scalar<Dim>(args...);
}
#else
// Finds a box's tiles: the first and the last row and column.
class TileFinder {
 public:
  struct Tiles {
    std::uint32_t first[2], last[2];
  };

  explicit TileFinder(const TileGrid& grid)
      : slots_{grid.slot[0].data(), grid.slot[1].data()},
        lo_(hn::Load(kFloat4, grid.index.lo)),
        per_unit_(hn::Load(kFloat4, grid.index.per_unit)) {
    // Words 0 and 1 of the result: the lower corner on the grid's two axes; words 2 and 3: the upper one.
    alignas(16) std::uint8_t lo_words[16], hi_words[16];
    std::fill_n(lo_words, 16, std::uint8_t{255});
    std::fill_n(hi_words, 16, std::uint8_t{255});
    for (int k = 0; k < 4; ++k) {
      lo_words[k] = static_cast<std::uint8_t>(4 * grid.axis[k / 2] + k % 2);
      hi_words[4 + k] = lo_words[k];
    }
    lo_words_ = hn::Load(kByte16, lo_words);
    hi_words_ = hn::Load(kByte16, hi_words);
  }

  HWY_INLINE Tiles find(const Corners& box) const {
    const Byte16 corners =
        hn::Or(hn::TableLookupBytesOr0(to_steps(box.lo, lo_, per_unit_, most_), lo_words_),
               hn::TableLookupBytesOr0(to_steps(box.hi, lo_, per_unit_, most_), hi_words_));
    // The mask is for NaNs, whose low bits may be anything on some processors.
    constexpr std::uint64_t kIndices = (TileGrid::kTable - 1) * 0x0001000100010001u;
    const std::uint64_t words =
        hn::GetLane(hn::BitCast(hn::FixedTag<std::uint64_t, 2>(), corners)) & kIndices;
    return {{slots_[0][words & 0xffff], slots_[1][words >> 16 & 0xffff]},
            {slots_[0][words >> 32 & 0xffff], slots_[1][words >> 48]}};
  }

 private:
  const std::uint16_t* slots_[2];
  Float4 lo_, per_unit_;
  const Float4 most_ = hn::Set(kFloat4, float{TileGrid::kTable - 1});
  Byte16 lo_words_, hi_words_;
};

template <int Dim>
bool deal_to_tiles_simd(const Box<Dim>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                        const TileGrid& grid, TileChunks& chunks) {
  const TileFinder finder(grid);
  const Quantiser<Dim> quantiser;
  const Scale* scales = grid.scales.data();
  std::uint32_t* cursors = chunks.cursors();
  QuantisedBox* out = chunks.boxes();
  const std::size_t row = grid.size[1];
  const std::uint32_t seen[2] = {seen_before(grid.axis[0]), seen_before(grid.axis[1])};
  Legality<Dim> legality;
  for (std::size_t i = begin; i < end; ++i) {
    const Corners box = load_corners(boxes[i]);
    legality.check(box);
    const auto put = [&](std::size_t tile, std::uint32_t tag) HWY_ATTR {
      std::uint32_t at = cursors[tile];
      if (HWY_UNLIKELY(TileChunks::chunk_is_full(at))) {
        at = chunks.new_chunk(tile);
        out = chunks.boxes();
      }
      cursors[tile] = at + 1;
      quantiser.write(box, scales[tile], tag, out[at]);
    };
    const TileFinder::Tiles tiles = finder.find(box);
    const std::uint32_t tag = tags == nullptr ? static_cast<std::uint32_t>(i) : tags[i];
    put(tiles.first[0] * row + tiles.first[1], tag);
    if (HWY_LIKELY(tiles.first[0] == tiles.last[0] && tiles.first[1] == tiles.last[1])) continue;
    for (std::uint32_t a = tiles.first[0]; a <= tiles.last[0]; ++a) {
      for (std::uint32_t b = tiles.first[1]; b <= tiles.last[1]; ++b) {
        const std::uint32_t before =
            (a != tiles.first[0] ? seen[0] : 0) | (b != tiles.first[1] ? seen[1] : 0);
        if (before != 0) put(a * row + b, tag | before);
      }
    }
  }
  return legality.all();
}
#endif

bool deal_to_tiles_2d(const Box<2>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                      const TileGrid& grid, TileChunks& chunks) {
  return deal_to_tiles_simd<2>(boxes, tags, begin, end, grid, chunks);
}
bool deal_to_tiles_3d(const Box<3>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                      const TileGrid& grid, TileChunks& chunks) {
  return deal_to_tiles_simd<3>(boxes, tags, begin, end, grid, chunks);
}

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(deal_to_tiles_2d);
HWY_EXPORT(deal_to_tiles_3d);

template <>
bool deal_to_tiles<2>(const Box<2>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                      const TileGrid& grid, TileChunks& chunks) {
  if (scalar_forced()) return deal_to_tiles_scalar<2>(boxes, tags, begin, end, grid, chunks);
  return HWY_DYNAMIC_DISPATCH(deal_to_tiles_2d)(boxes, tags, begin, end, grid, chunks);
}
template <>
bool deal_to_tiles<3>(const Box<3>* boxes, const std::uint32_t* tags, std::size_t begin, std::size_t end,
                      const TileGrid& grid, TileChunks& chunks) {
  if (scalar_forced()) return deal_to_tiles_scalar<3>(boxes, tags, begin, end, grid, chunks);
  return HWY_DYNAMIC_DISPATCH(deal_to_tiles_3d)(boxes, tags, begin, end, grid, chunks);
}

}  // namespace winnow
#endif
