// NumPy's .npy files: the header that tells what the bytes after it are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file.hpp"

namespace winnow::io {

struct NpyHeader {
  std::string descr;                 // "<f4": byte order, kind and bytes of a value, as NumPy writes it
  std::vector<std::uint64_t> shape;  // the last index runs fastest, unless fortran_order
  bool fortran_order = false;
  std::uint64_t data_offset = 0;  // bytes before the values

  std::size_t item_bytes() const;
  std::uint64_t values() const;      // product of the shape; never overflows for a header that was read
  std::uint64_t data_bytes() const;  // values() * item_bytes()
  bool is_swapped() const;           // in the other byte order than this machine's
  std::string shape_text() const;    // "(100, 6)"
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// Reads and checks the header at the start of the file and leaves the file at the first value. Throws Error
// for a file that is no .npy file, values that are no plain numbers, sizes that overflow, and a regular file
// whose length is not what the header promises.
NpyHeader read_npy_header(InputFile& file);

// Reads the next `values` values into `to`, in this machine's byte order.
void read_npy_values(InputFile& file, const NpyHeader& header, void* to, std::uint64_t values);

// The header to write before values of this machine's byte order in C order; `type` is kind and bytes:
// "f4", "u4". Its length depends on the number of dimensions only, so that it may be rewritten when the sizes
// are known.
std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape);

}  // namespace winnow::io
