#include "methods/tile_sweep/gather.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/tile_sweep/gather_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace winnow::tile_sweep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace winnow::HWY_NAMESPACE;  // compress

#if HWY_TARGET == HWY_SCALAR
CopyCounts find_copies_simd(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                            std::uint32_t first, const CopyRun& out) {
  return find_copies_scalar(layout, boxes, count, first, out);
}
void gather_columns_simd(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                         const std::uint32_t* sources, Columns& columns) {
  gather_columns_scalar(layout, chunks, sources, columns);
}
#else

using Word8 = hn::Vec<hn::FixedTag<std::uint16_t, 8> >;
inline constexpr hn::FixedTag<std::uint16_t, 8> kWord8;
inline constexpr hn::FixedTag<std::int16_t, 8> kSigned8;
inline constexpr hn::FixedTag<std::uint32_t, 4> kTag4;

// Eight boxes, one bound of all of them per vector: lower bounds, upper bounds, low and high half of the tag.
struct Transposed {
  Word8 words[8];
};

// box(j) points to the j-th box.
template <class BoxAt>
HWY_INLINE Transposed transpose(BoxAt box) {
  const auto load = [&](std::size_t j) {
    return hn::Load(kWord8, reinterpret_cast<const std::uint16_t*>(box(j)));
  };
  Word8 a[8], b[8];
  for (std::size_t j = 0; j < 4; ++j) {
    const Word8 first = load(j), second = load(j + 4);
    a[j] = hn::InterleaveLower(kWord8, first, second);
    a[j + 4] = hn::InterleaveUpper(kWord8, first, second);
  }
  for (std::size_t j = 0; j < 8; j += 4) {
    b[j] = hn::InterleaveLower(kWord8, a[j], a[j + 2]);
    b[j + 1] = hn::InterleaveLower(kWord8, a[j + 1], a[j + 3]);
    b[j + 2] = hn::InterleaveUpper(kWord8, a[j], a[j + 2]);
    b[j + 3] = hn::InterleaveUpper(kWord8, a[j + 1], a[j + 3]);
  }
  Transposed out;
  for (std::size_t j = 0; j < 8; j += 2) {
    out.words[j] = hn::InterleaveLower(kWord8, b[j], b[j + 1]);
    out.words[j + 1] = hn::InterleaveUpper(kWord8, b[j], b[j + 1]);
  }
  return out;
}

// One axis of a layout in vectors.
struct AxisCut {
  Word8 origin, span, parts_per_step;

  AxisCut(const ColumnLayout& layout, int k)
      : origin(hn::Set(kWord8, layout.origin[k])),
        span(hn::Set(kWord8, layout.span[k])),
        parts_per_step(hn::Set(kWord8, layout.parts_per_step[k])) {}

  HWY_INLINE Word8 clamp(Word8 x) const { return hn::Min(hn::SaturatedSub(x, origin), span); }
  HWY_INLINE Word8 part(Word8 clamped) const { return hn::MulHigh(clamped, parts_per_step); }
};

// Appends to a run's straddlers.
class StraddlerWriter {
 public:
  explicit StraddlerWriter(const CopyRun& out)
      : cells_(out.straddler_cells), sources_(out.straddler_sources) {}

  // Those of eight boxes whose bits are set: their cells plus `step`, their numbers, from `number`, with
  // `seen`.
  HWY_INLINE void add(const std::uint16_t* cells, std::uint32_t step, std::uint32_t number,
                      std::uint32_t seen, unsigned bits) {
    for (std::size_t j = 0; j < 8; j += kLanes) {
      const unsigned kept = bits >> j & ((1u << kLanes) - 1);
      const auto cell = hn::Add(hn::PromoteTo(kWords, hn::LoadU(kHalves, cells + j)), hn::Set(kWords, step));
      const auto source =
          hn::Or(hn::Iota(kWords, number + static_cast<std::uint32_t>(j)), hn::Set(kWords, seen));
      compress_store(kWords, source, kept, sources_ + count_);
      count_ += compress_store(kWords, cell, kept, cells_ + count_);
    }
  }
  std::size_t count() const { return count_; }

 private:
  static constexpr hn::CappedTag<std::uint32_t, 8> kWords{};
  static constexpr hn::Rebind<std::uint16_t, decltype(kWords)> kHalves{};
  static constexpr std::size_t kLanes = hn::MaxLanes(kWords);

  std::uint32_t* cells_;
  std::uint32_t* sources_;
  std::size_t count_ = 0;
};

CopyCounts find_copies_simd(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                            std::uint32_t first, const CopyRun& out) {
  const AxisCut cut0(layout, 0), cut1(layout, 1), cut2(layout, 2);
  const std::uint32_t stride1 = layout.stride(1), stride2 = layout.stride(2);
  const std::uint32_t seen1 = later_axis_bit(layout.axis[1]), seen2 = later_axis_bit(layout.axis[2]);
  const Word8 strides1 = hn::Set(kWord8, layout.stride(1)), strides2 = hn::Set(kWord8, layout.stride(2));
  const Word8 one = hn::Set(kWord8, 1);
  const std::array<int, 3> axis = layout.axis;
  const bool two_cross_axes = layout.parts[2] > 1;
  StraddlerWriter straddlers(out);
  std::size_t wide = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const Transposed t = transpose([&](std::size_t j) HWY_ATTR { return boxes + i + j; });
    alignas(16) std::uint16_t words[6][8];
    for (int w = 0; w < 6; ++w) hn::Store(t.words[w], kWord8, words[w]);
    const auto part = [&](const AxisCut& cut, int w)
                          HWY_ATTR { return cut.part(cut.clamp(hn::Load(kWord8, words[w]))); };
    const Word8 first1 = part(cut1, axis[1]), first2 = part(cut2, axis[2]);
    const Word8 reach1 = hn::Sub(part(cut1, 3 + axis[1]), first1);
    const Word8 reach2 = hn::Sub(part(cut2, 3 + axis[2]), first2);
    const Word8 column = hn::Add(hn::Mul(first1, strides1), hn::Mul(first2, strides2));
    std::uint16_t* const cells = out.cell + i;
    hn::StoreU(hn::Add(part(cut0, axis[0]), column), kWord8, cells);

    const unsigned present = count - i >= 8 ? 0xff : (1u << (count - i)) - 1;
    const Word8 reach = hn::Or(reach1, reach2);
    const auto narrow = hn::Eq(reach, one);  // one column further, on either axis or both
    const unsigned next1 = present & mask_bits(kWord8, hn::And(narrow, hn::Eq(reach1, one)));
    const std::uint32_t number = first + static_cast<std::uint32_t>(i);
    straddlers.add(cells, stride1, number, seen1, next1);
    if (two_cross_axes) {
      const unsigned next2 = present & mask_bits(kWord8, hn::And(narrow, hn::Eq(reach2, one)));
      straddlers.add(cells, stride2, number, seen2, next2);
      straddlers.add(cells, stride1 + stride2, number, seen1 | seen2, next1 & next2);
    }
    const auto is_wide = hn::Gt(hn::BitCast(kSigned8, reach), hn::BitCast(kSigned8, one));
    for (unsigned bits = present & mask_bits(kSigned8, is_wide); HWY_UNLIKELY(bits != 0); bits &= bits - 1)
      out.wide[wide++] = number + static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
  }
  return {straddlers.count(), wide};
}

void gather_columns_simd(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                         const std::uint32_t* sources, Columns& columns) {
  const AxisCut cut(layout, 0);
  const Word8 lower = hn::Set(kWord8, 0x8000), upper = hn::Set(kWord8, 0x7fff);
  const auto id_mask = hn::Set(kTag4, kIdMask);
  std::uint16_t* face[6];  // by word of a QuantisedBox
  for (int k = 0; k < 3; ++k) {
    face[layout.axis[k]] = reinterpret_cast<std::uint16_t*>(columns.face(k));
    face[3 + layout.axis[k]] = reinterpret_cast<std::uint16_t*>(columns.face(3 + k));
  }
  const std::uint16_t* first0 = face[layout.axis[0]];
  const std::uint16_t* last0 = face[3 + layout.axis[0]];
  const std::uint16_t* cells = reinterpret_cast<const std::uint16_t*>(columns.cell());
  std::uint16_t* last_cell = reinterpret_cast<std::uint16_t*>(columns.last_cell());
  std::uint16_t* seen = reinterpret_cast<std::uint16_t*>(columns.later_axes());
  std::uint32_t* ids = columns.ids();

  const auto source_words = [=](std::size_t i)
                                HWY_ATTR { return hn::BitCast(kWord8, hn::LoadU(kTag4, sources + i)); };
  const std::size_t size = columns.size();
  for (std::size_t i = 0; i < size; i += 8) {
    const Transposed t = transpose([&](std::size_t j) {
      const std::uint32_t source = sources[i + j] & kIdMask;
      return chunks[source / 128] + source % 128;
    });
    for (int w = 0; w < 3; ++w) {
      hn::StoreU(hn::Xor(t.words[w], lower), kWord8, face[w] + i);
      hn::StoreU(hn::Xor(t.words[3 + w], upper), kWord8, face[3 + w] + i);
    }
    const Word8 first = cut.part(cut.clamp(hn::Xor(hn::LoadU(kWord8, first0 + i), lower)));
    const Word8 last = cut.part(cut.clamp(hn::Xor(hn::LoadU(kWord8, last0 + i), upper)));
    hn::StoreU(hn::Add(hn::LoadU(kWord8, cells + i), hn::Sub(last, first)), kWord8, last_cell + i);
    // The high halves of the tags and of the sources.
    const Word8 high = hn::Or(t.words[7], hn::ConcatOdd(kWord8, source_words(i + 4), source_words(i)));
    hn::StoreU(hn::ShiftRight<kIdBits - 16>(high), kWord8, seen + i);
    const auto low_tags = hn::BitCast(kTag4, hn::InterleaveLower(kWord8, t.words[6], t.words[7]));
    const auto high_tags = hn::BitCast(kTag4, hn::InterleaveUpper(kWord8, t.words[6], t.words[7]));
    hn::StoreU(hn::And(low_tags, id_mask), kTag4, ids + i);
    hn::StoreU(hn::And(high_tags, id_mask), kTag4, ids + i + 4);
  }
}

#endif

}  // namespace winnow::tile_sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow::tile_sweep {

HWY_EXPORT(find_copies_simd);
HWY_EXPORT(gather_columns_simd);

CopyCounts find_copies(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                       std::uint32_t first, const CopyRun& out) {
  if (scalar_forced()) return find_copies_scalar(layout, boxes, count, first, out);
  return HWY_DYNAMIC_DISPATCH(find_copies_simd)(layout, boxes, count, first, out);
}

void gather_columns(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                    const std::uint32_t* sources, Columns& columns) {
  if (scalar_forced())
    gather_columns_scalar(layout, chunks, sources, columns);
  else
    HWY_DYNAMIC_DISPATCH(gather_columns_simd)(layout, chunks, sources, columns);
  columns.close();
}

}  // namespace winnow::tile_sweep
#endif
