#include "io/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>

namespace winnow::io {
namespace {

constexpr bool kLittle = std::endian::native == std::endian::little;
constexpr std::size_t kMostHeaderBytes = 1 << 16;  // NumPy's are 128; a claim of gigabytes is a lie
constexpr std::size_t kMostDimensions = 32;        // NumPy's own limit

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return std::nullopt;
  return a * b;
}

// Reads the header's text, a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 6), }
class HeaderParser {
 public:
  HeaderParser(const std::string& file, std::string_view text) : file_(file), rest_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = descr();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        has_shape = true;
      } else {
        broken();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty() || !has_descr || !has_order || !has_shape) broken();
    return header;
  }

 private:
  [[noreturn]] void broken() const {
    throw file_error(file_,
                     "its .npy header is damaged; it should read {'descr': '<f4', 'fortran_order': False, "
                     "'shape': (n, 6), }");
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool accept(char wanted) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) broken();
  }

  std::string quoted() {
    skip_blanks();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) broken();
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) broken();
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string descr() {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[')
      throw file_error(file_, "holds records of named fields; save a plain array of float32 or float64");
    return quoted();
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    broken();
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      if (values.size() == kMostDimensions) broken();
      values.push_back(integer());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::uint64_t integer() {
    skip_blanks();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range)
      throw file_error(file_, "its .npy header claims a size that no machine can hold");
    if (error != std::errc()) broken();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  const std::string& file_;
  std::string_view rest_;
};

// Byte order, kind of number, bytes: "<f4", "|u1".
void check_type(const std::string& file, const std::string& descr) {
  const bool formed = descr.size() == 3 && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  const bool number = formed && std::string_view("fiu").find(descr[1]) != std::string_view::npos;
  const bool sized = formed && std::string_view("1248").find(descr[2]) != std::string_view::npos;
  if (number && sized) return;
  const bool objects = descr.find('O') != std::string::npos;
  throw file_error(file, (objects ? "holds Python objects (dtype " : "holds values of dtype ") + descr +
                             (objects ? ")" : "") + "; save plain numbers, float32 or float64");
}

void check_size(const std::string& file, const NpyHeader& header) {
  std::optional<std::uint64_t> bytes = header.item_bytes();
  // Zeros last: (2^40, 2^40, 0) is empty, but no array that anything made.
  for (const std::uint64_t extent : header.shape)
    bytes = bytes ? product(*bytes, std::max<std::uint64_t>(extent, 1)) : bytes;
  if (!bytes || *bytes > std::numeric_limits<std::uint64_t>::max() - header.data_offset)
    throw file_error(file,
                     "its .npy header claims a size that no machine can hold: shape " + header.shape_text());
}

void check_length(const InputFile& file, const NpyHeader& header) {
  const std::uint64_t promised = header.data_offset + header.data_bytes();
  if (!file.size() || *file.size() == promised) return;
  const bool shorter = *file.size() < promised;
  throw file_error(file.name(),
                   std::string(shorter ? "is truncated" : "is longer than its .npy header says") +
                       ": shape " + header.shape_text() + " of " + header.descr + " makes " +
                       std::to_string(promised) + " bytes, the file has " + std::to_string(*file.size()));
}

void read_exactly(InputFile& file, void* to, std::uint64_t count) {
  if (file.read(to, count) != count)
    throw file_error(file.name(), "is truncated: it ends inside its .npy data");
}

void swap_bytes(unsigned char* bytes, std::size_t item_bytes, std::uint64_t values) {
  for (std::uint64_t i = 0; i < values; ++i)
    std::reverse(bytes + i * item_bytes, bytes + (i + 1) * item_bytes);
}

std::uint64_t little_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

}  // namespace

std::size_t NpyHeader::item_bytes() const { return static_cast<std::size_t>(descr[2] - '0'); }

std::uint64_t NpyHeader::values() const {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  return count;
}

std::uint64_t NpyHeader::data_bytes() const { return values() * item_bytes(); }

bool NpyHeader::is_swapped() const { return descr[0] == (kLittle ? '>' : '<') && item_bytes() > 1; }

std::string NpyHeader::shape_text() const {
  std::string text = "(";
  for (const std::uint64_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + (shape.size() == 1 ? ",)" : ")");
}

NpyHeader read_npy_header(InputFile& file) {
  unsigned char start[12];  // magic, version, length of the text in 2 or 4 bytes
  const std::size_t got = file.read(start, 10);
  if (got < kNpyMagic.size() ||
      !std::equal(kNpyMagic.begin(), kNpyMagic.end(), reinterpret_cast<char*>(start)))
    throw file_error(file.name(), "is not a .npy file; it should begin with \\x93NUMPY");
  const int version = got > 6 ? start[6] : 0;
  if (version < 1 || version > 3)
    throw file_error(file.name(), "is of .npy version " + std::to_string(version) + "; 1, 2 and 3 are known");
  const int length_bytes = version == 1 ? 2 : 4;
  if (got != 10 || (version > 1 && file.read(start + 10, 2) != 2))
    throw file_error(file.name(), "is truncated: it ends inside its .npy header");

  const std::uint64_t length = little_endian(start + 8, length_bytes);
  if (length > kMostHeaderBytes)
    throw file_error(file.name(), "its .npy header claims to be " + std::to_string(length) + " bytes long");
  std::string text(length, '\0');
  if (file.read(text.data(), length) != length)
    throw file_error(file.name(), "is truncated: it ends inside its .npy header");

  NpyHeader header = HeaderParser(file.name(), text).parse();
  header.data_offset = 8 + length_bytes + length;
  check_type(file.name(), header.descr);
  check_size(file.name(), header);
  check_length(file, header);
  return header;
}

void read_npy_values(InputFile& file, const NpyHeader& header, void* to, std::uint64_t values) {
  read_exactly(file, to, values * header.item_bytes());
  if (header.is_swapped()) swap_bytes(static_cast<unsigned char*>(to), header.item_bytes(), values);
}

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
  constexpr std::size_t kPreamble = 10, kAlignment = 64, kDigits = 20;
  NpyHeader header;
  header.shape.assign(shape.begin(), shape.end());
  std::string text = std::string("{'descr': '") + (kLittle ? '<' : '>') + std::string(type) +
                     "', 'fortran_order': False, 'shape': " + header.shape_text() + ", }";
  const std::size_t room = kPreamble + 64 + shape.size() * (kDigits + 2);
  text.resize((room + kAlignment - 1) / kAlignment * kAlignment - kPreamble - 1, ' ');
  text += '\n';
  std::string bytes(kNpyMagic);
  bytes += {'\x01', '\x00', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return bytes + text;
}

}  // namespace winnow::io
