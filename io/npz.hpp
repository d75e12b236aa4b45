// NumPy's .npz files: several arrays in one, as numpy.load reads them. A zip archive without compression.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.hpp"

namespace winnow::io {

class NpzWriter {
 public:
  explicit NpzWriter(Output& output) : output_(output) {}

  // One array: `type` is kind and bytes ("u4"), as for npy_header; `bytes` its values in C order.
  void add(std::string_view name, std::string_view type, std::span<const std::uint64_t> shape,
           std::span<const std::byte> bytes);
  // The table of contents. Nothing can be added after it.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum;
    std::uint64_t size, offset;
  };

  Output& output_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace winnow::io
