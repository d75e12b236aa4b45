#include "io/npz.hpp"

#include "io/checksum.hpp"
#include "io/npy.hpp"

namespace winnow::io {
namespace {

// Numbers of a zip archive, lowest byte first.
class Bytes {
 public:
  Bytes& u16(std::uint64_t value) { return put(value, 2); }
  Bytes& u32(std::uint64_t value) { return put(value, 4); }
  Bytes& u64(std::uint64_t value) { return put(value, 8); }
  Bytes& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  const std::string& str() const { return bytes_; }

 private:
  Bytes& put(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  std::string bytes_;
};

constexpr std::uint64_t kVersion = 45;       // the format's, with 64-bit sizes
constexpr std::uint64_t kMost = 0xffffffff;  // "see the 64-bit field"
constexpr std::uint64_t kDosDate = 0x0021;   // 1 January 1980: the same lists give the same bytes

}  // namespace

void NpzWriter::add(std::string_view name, std::string_view type, std::span<const std::uint64_t> shape,
                    std::span<const std::byte> bytes) {
  const std::string header = npy_header(type, shape);
  Member member{std::string(name) + ".npy", 0, header.size() + bytes.size(), written_};
  member.checksum = checksum(bytes, checksum(std::as_bytes(std::span(header))));
  const std::string local = Bytes()
                                .u32(0x04034b50)
                                .u16(kVersion)
                                .u16(0)
                                .u16(0)
                                .u16(0)
                                .u16(kDosDate)
                                .u32(member.checksum)
                                .u32(kMost)
                                .u32(kMost)
                                .u16(member.name.size())
                                .u16(20)
                                .text(member.name)
                                .u16(1)
                                .u16(16)
                                .u64(member.size)
                                .u64(member.size)
                                .str();
  output_.write(local);
  output_.write(header);
  output_.write(bytes.data(), bytes.size());
  written_ += local.size() + member.size;
  members_.push_back(std::move(member));
}

void NpzWriter::finish() {
  Bytes directory;
  for (const Member& member : members_)
    directory.u32(0x02014b50)
        .u16(kVersion)
        .u16(kVersion)
        .u16(0)
        .u16(0)
        .u16(0)
        .u16(kDosDate)
        .u32(member.checksum)
        .u32(kMost)
        .u32(kMost)
        .u16(member.name.size())
        .u16(28)
        .u16(0)
        .u16(0)
        .u16(0)
        .u32(0)
        .u32(kMost)
        .text(member.name)
        .u16(1)
        .u16(24)
        .u64(member.size)
        .u64(member.size)
        .u64(member.offset);
  const std::uint64_t size = directory.str().size(), end = written_ + size, count = members_.size();
  output_.write(directory.str());
  output_.write(Bytes()
                    .u32(0x06064b50)
                    .u64(44)
                    .u16(kVersion)
                    .u16(kVersion)
                    .u32(0)
                    .u32(0)
                    .u64(count)
                    .u64(count)
                    .u64(size)
                    .u64(written_)
                    .u32(0x07064b50)
                    .u32(0)
                    .u64(end)
                    .u32(1)
                    .u32(0x06054b50)
                    .u16(0)
                    .u16(0)
                    .u16(count)
                    .u16(count)
                    .u32(kMost)
                    .u32(kMost)
                    .u16(0)
                    .str());
}

}  // namespace winnow::io
