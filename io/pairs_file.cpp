#include "io/pairs_file.hpp"

#include <algorithm>
#include <charconv>

#include "io/npy.hpp"
#include "winnow/buffer.hpp"

namespace winnow::io {
namespace {

constexpr std::size_t kPairsBlock = 1 << 16;               // pairs formatted before they are written
constexpr std::size_t kMostPairText = 2 * 10 + 2;          // two numbers of 32 bits, a comma, the end
static_assert(sizeof(Pair) == 2 * sizeof(std::uint32_t));  // a Pair is a row of the .npy file

void write_csv(Output& output, std::span<const Pair> pairs, Buffer<char>& text) {
  text.resize_for_overwrite(kPairsBlock * kMostPairText);
  while (!pairs.empty()) {
    const std::span<const Pair> block = pairs.first(std::min(pairs.size(), kPairsBlock));
    pairs = pairs.subspan(block.size());
    char* out = text.data();
    char* const end = out + text.size();
    for (const Pair pair : block) {
      out = std::to_chars(out, end, pair.a).ptr;
      *out++ = ',';
      out = std::to_chars(out, end, pair.b).ptr;
      *out++ = '\n';
    }
    output.write(text.data(), static_cast<std::size_t>(out - text.data()));
  }
}

}  // namespace

PairFormat pair_format_of(std::string_view path) {
  if (path.ends_with(".csv")) return PairFormat::csv;
  if (path.ends_with(".npy")) return PairFormat::npy;
  throw file_error(path, "pairs go to a file that ends in .csv or .npy");
}

void write_pairs(Output& output, PairFormat format, std::span<const std::span<const Pair>> parts) {
  if (format == PairFormat::npy) {
    std::uint64_t shape[] = {0, 2};
    for (const auto part : parts) shape[0] += part.size();
    output.write(npy_header("u4", shape));
    for (const auto part : parts) output.write(part.data(), part.size_bytes());
    return;
  }
  Buffer<char> text;
  for (const auto part : parts) write_csv(output, part, text);
}

}  // namespace winnow::io
