#include "simd/columns.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/columns_gather.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace winnow::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
void find_cells_simd(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                     const Cells& out) {
  find_cells_scalar(layout, boxes, count, out);
}
void gather_columns_simd(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                         const std::uint32_t* sources, Columns& columns) {
  gather_columns_scalar(layout, chunks, sources, columns);
}
#else

using Word8 = hn::Vec<hn::FixedTag<std::uint16_t, 8> >;
inline constexpr hn::FixedTag<std::uint16_t, 8> kWord8;
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

void find_cells_simd(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count,
                     const Cells& out) {
  const AxisCut cut0(layout, 0), cut1(layout, 1), cut2(layout, 2);
  const Word8 stride1 = hn::Set(kWord8, layout.stride(1)), stride2 = hn::Set(kWord8, layout.stride(2));
  const std::array<int, 3> axis = layout.axis;
  for (std::size_t i = 0; i < count; i += 8) {
    Transposed t = transpose([&](std::size_t j) { return boxes + i + j; });
    alignas(16) std::uint16_t words[8][8];
    for (int w = 0; w < 6; ++w) hn::Store(t.words[w], kWord8, words[w]);
    const auto word = [&](int w) { return hn::Load(kWord8, words[w]); };
    const Word8 first0 = cut0.part(cut0.clamp(word(axis[0])));
    const Word8 first1 = cut1.part(cut1.clamp(word(axis[1])));
    const Word8 first2 = cut2.part(cut2.clamp(word(axis[2])));
    const Word8 last1 = cut1.part(cut1.clamp(word(3 + axis[1])));
    const Word8 last2 = cut2.part(cut2.clamp(word(3 + axis[2])));
    const Word8 cell = hn::Add(first0, hn::Add(hn::Mul(first1, stride1), hn::Mul(first2, stride2)));
    hn::StoreU(cell, kWord8, out.cell + i);
    hn::StoreU(hn::Sub(last1, first1), kWord8, out.reach1 + i);
    hn::StoreU(hn::Sub(last2, first2), kWord8, out.reach2 + i);
  }
}

void gather_columns_simd(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                         const std::uint32_t* sources, Columns& columns) {
  const AxisCut cuts[3] = {AxisCut(layout, 0), AxisCut(layout, 1), AxisCut(layout, 2)};
  const Word8 lower = hn::Set(kWord8, 0x8000), upper = hn::Set(kWord8, 0x7fff), one = hn::Set(kWord8, 1);
  const auto id_mask = hn::Set(kTag4, kIdMask);
  std::uint16_t* face[6];  // by word of a QuantisedBox
  int order[3];
  for (int k = 0; k < 3; ++k) {
    face[layout.axis[k]] = reinterpret_cast<std::uint16_t*>(columns.face(k));
    face[3 + layout.axis[k]] = reinterpret_cast<std::uint16_t*>(columns.face(3 + k));
    order[layout.axis[k]] = k;
  }
  const AxisCut cut[3] = {cuts[order[0]], cuts[order[1]], cuts[order[2]]};
  const std::uint16_t* first0 = face[layout.axis[0]];
  const std::uint16_t* last0 = face[3 + layout.axis[0]];
  const std::uint16_t* cells = reinterpret_cast<const std::uint16_t*>(columns.cell());
  std::uint16_t* cell_end = reinterpret_cast<std::uint16_t*>(columns.cell_end());
  std::uint32_t* tags = columns.tags();

  const std::size_t size = columns.size();
  for (std::size_t i = 0; i < size; i += 8) {
    const Transposed t = transpose([&](std::size_t j) {
      const std::uint32_t source = sources[i + j] & kIdMask;
      return chunks[source / 128] + source % 128;
    });
    for (int w = 0; w < 3; ++w) {
      hn::StoreU(hn::Xor(cut[w].clamp(t.words[w]), lower), kWord8, face[w] + i);
      hn::StoreU(hn::Xor(cut[w].clamp(t.words[3 + w]), upper), kWord8, face[3 + w] + i);
    }
    const Word8 first = cuts[0].part(hn::Xor(hn::LoadU(kWord8, first0 + i), lower));
    const Word8 last = cuts[0].part(hn::Xor(hn::LoadU(kWord8, last0 + i), upper));
    const Word8 reach = hn::Add(hn::Sub(last, first), one);
    hn::StoreU(hn::Add(hn::LoadU(kWord8, cells + i), reach), kWord8, cell_end + i);
    for (std::size_t j = 0; j < 8; j += 4) {
      const auto tag = hn::BitCast(kTag4, j == 0 ? hn::InterleaveLower(kWord8, t.words[6], t.words[7])
                                                 : hn::InterleaveUpper(kWord8, t.words[6], t.words[7]));
      const auto seen = hn::AndNot(id_mask, hn::LoadU(kTag4, sources + i + j));
      hn::StoreU(hn::Or(tag, seen), kTag4, tags + i + j);
    }
  }
}

#endif

}  // namespace winnow::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace winnow {

HWY_EXPORT(find_cells_simd);
HWY_EXPORT(gather_columns_simd);

void find_cells(const ColumnLayout& layout, const QuantisedBox* boxes, std::size_t count, const Cells& out) {
  if (scalar_forced()) return find_cells_scalar(layout, boxes, count, out);
  HWY_DYNAMIC_DISPATCH(find_cells_simd)(layout, boxes, count, out);
}

void gather_columns(const ColumnLayout& layout, const QuantisedBox* const* chunks,
                    const std::uint32_t* sources, Columns& columns) {
  if (scalar_forced())
    gather_columns_scalar(layout, chunks, sources, columns);
  else
    HWY_DYNAMIC_DISPATCH(gather_columns_simd)(layout, chunks, sources, columns);
  columns.close();
}

}  // namespace winnow
#endif
