#include "io/npy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "cli/temporary_folder.hpp"

namespace winnow::io {
namespace {

std::string npy(std::string_view dictionary, std::string_view data = {}) {
  std::string bytes = std::string("\x93NUMPY\x01\x00", 8);
  bytes += {static_cast<char>(dictionary.size() & 255), static_cast<char>(dictionary.size() >> 8)};
  return bytes + std::string(dictionary) + std::string(data);
}

class Npy : public testing::Test {
 protected:
  NpyHeader header_of(std::string_view bytes) {
    InputFile file(folder.write("a.npy", bytes));
    return read_npy_header(file);
  }
  std::string complaint_about(std::string_view bytes) {
    try {
      header_of(bytes);
      return "none";
    } catch (const Error& error) {
      const std::string_view message = error.what();
      EXPECT_TRUE(message.starts_with(folder.path("a.npy"))) << message;
      return std::string(message.substr(folder.path("a.npy").size()));
    }
  }
  void expect_refused(std::string_view bytes, std::string_view because) {
    EXPECT_NE(complaint_about(bytes).find(because), std::string::npos)
        << complaint_about(bytes) << "\nshould say: " << because;
  }

  tests::TemporaryFolder folder;
};

TEST_F(Npy, HeadersWrittenAreRead) {
  const std::uint64_t shape[] = {2, 3, 6};
  const std::string written = npy_header("f4", shape);
  EXPECT_EQ(written.size() % 64, 0u);
  const NpyHeader read = header_of(written + std::string(2 * 3 * 6 * 4, 'x'));
  EXPECT_EQ(read.shape, std::vector<std::uint64_t>({2, 3, 6}));
  EXPECT_EQ(read.item_bytes(), 4u);
  EXPECT_EQ(read.data_bytes(), 144u);
  EXPECT_EQ(read.data_offset, written.size());
  EXPECT_FALSE(read.fortran_order);
  EXPECT_FALSE(read.is_swapped());
}

TEST_F(Npy, AHeaderKeepsItsLengthWhenTheSizesGrow) {
  const std::uint64_t small[] = {0, 2};
  const std::uint64_t large[] = {18446744073709551615u, 2};
  EXPECT_EQ(npy_header("u4", small).size(), npy_header("u4", large).size());
}

TEST_F(Npy, AllThreeVersionsAndAnyOrderOfKeysAreRead) {
  const std::string_view keys = "{'shape': (1, 2), 'fortran_order': True, 'descr': '<f8'}\n";
  for (const char version : {1, 2, 3}) {
    std::string bytes = "\x93NUMPY";
    bytes += {version, '\0', static_cast<char>(keys.size()), '\0'};
    if (version > 1) bytes += {'\0', '\0'};
    const NpyHeader header = header_of(bytes + std::string(keys) + std::string(16, 'x'));
    EXPECT_TRUE(header.fortran_order);
    EXPECT_EQ(header.shape_text(), "(1, 2)");
  }
}

TEST_F(Npy, ValuesOfTheOtherByteOrderAreTurned) {
  const float values[] = {1.5f, -2.25f};
  std::string data;
  for (const float value : values) {
    auto bytes = std::bit_cast<std::array<char, 4>>(value);
    data.append(bytes.rbegin(), bytes.rend());
  }
  const char other = std::endian::native == std::endian::little ? '>' : '<';
  const std::string text =
      std::string("{'descr': '") + other + "f4', 'fortran_order': False, 'shape': (2,), }";
  InputFile file(folder.write("a.npy", npy(text, data)));
  const NpyHeader header = read_npy_header(file);
  float read[2];
  read_npy_values(file, header, read, 2);
  EXPECT_EQ(read[0], 1.5f);
  EXPECT_EQ(read[1], -2.25f);
}

TEST_F(Npy, WhatIsNotNpyIsRefused) {
  expect_refused("", "not a .npy file");
  expect_refused("\x93NUM", "not a .npy file");
  expect_refused("0,0,0,1,1,1\n", "not a .npy file");
  expect_refused(std::string("\x93NUMPY\x09\x00", 8) + "xx", "version 9");
}

TEST_F(Npy, TruncationIsRefusedAtEveryByte) {
  const std::uint64_t shape[] = {2, 6};
  const std::string whole = npy_header("f4", shape) + std::string(48, 'x');
  ASSERT_EQ(complaint_about(whole), "none");
  for (std::size_t length = 0; length < whole.size(); ++length)
    ASSERT_NE(complaint_about(whole.substr(0, length)), "none") << length << " bytes";
}

TEST_F(Npy, LyingHeadersAreRefused) {
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9, 6), }", "xxxx"), "is truncated");
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 6), }", "xxxx"), "is longer");
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"),
                 "no machine can hold");
  expect_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 6), }"),
                 "no machine can hold");
  expect_refused(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952, 1), }"),
                 "no machine can hold");
  expect_refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + "{", "claims to be 4294967295 bytes");
}

TEST_F(Npy, DamagedDictionariesAreRefused) {
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} and more"})
    expect_refused(npy(text, "xxxx"), "header is damaged");
}

TEST_F(Npy, ValuesThatAreNoPlainNumbersAreRefused) {
  expect_refused(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "xxxx"), "Python objects");
  expect_refused(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "xxxx"),
                 "records");
  expect_refused(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "xxxxxxxx"), "dtype <c8");
  expect_refused(npy("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", "xxxx"), "dtype <U1");
  expect_refused(npy("{'descr': '', 'fortran_order': False, 'shape': (1,), }", "xxxx"), "dtype");
}

}  // namespace
}  // namespace winnow::io
