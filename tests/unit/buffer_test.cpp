#include "winnow/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace winnow {
namespace {

TEST(Buffer, KeepsItsElementsWhenItGrows) {
  Buffer<int> buffer;
  for (int i = 0; i < 1000; ++i) {
    buffer.resize(buffer.size() + 1);
    buffer[static_cast<std::size_t>(i)] = i;
  }
  ASSERT_EQ(buffer.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(buffer[static_cast<std::size_t>(i)], i);
}

TEST(Buffer, KeepsItsRoomWhenItShrinks) {
  Buffer<double> buffer(100);
  const double* data = buffer.data();
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
  buffer.resize(100);
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(buffer.memory_bytes(), buffer.capacity() * sizeof(double));
}

TEST(Buffer, StartsAtACacheLine) {
  for (const std::size_t size : {1, 3, 17, 1000}) {
    const Buffer<char> buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
  }
}

TEST(Buffer, MovesWithoutCopying) {
  Buffer<int> from(3);
  const int* data = from.data();
  Buffer<int> to(std::move(from));
  EXPECT_EQ(to.data(), data);
  Buffer<int> assigned;
  assigned = std::move(to);
  EXPECT_EQ(assigned.data(), data);
  EXPECT_EQ(assigned.size(), 3u);
}

TEST(Buffer, AFailedAllocationChangesNothing) {
  Buffer<int> buffer(2);
  buffer[0] = 5;
  buffer[1] = 6;
  EXPECT_THROW(buffer.resize(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
  EXPECT_THROW(buffer.resize_for_overwrite(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  ASSERT_EQ(buffer.size(), 2u);
  EXPECT_EQ(buffer[0], 5);
  EXPECT_EQ(buffer[1], 6);
}

}  // namespace
}  // namespace winnow
