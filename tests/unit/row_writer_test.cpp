#include "neighbours/row_writer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/thread_executor.hpp"

namespace winnow {
namespace {

using Writer = RowWriter<3, float>;
constexpr std::size_t kChunks = 100;

// Each chunk is one row with one neighbour: its own number.
void write(Writer& writer, std::unique_ptr<Writer::Chunk> chunk, Neighbours<3>& lists) {
  const std::size_t number = chunk->number;
  writer.reserve(*chunk, number, 1).ids[0] = static_cast<std::uint32_t>(number);
  lists.offsets[number + 1] = ++chunk->end;
  writer.commit(std::move(chunk));
}

// Waits until `value` has not changed for a while.
std::size_t settled(const std::atomic<std::size_t>& value) {
  for (std::size_t last = value;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (value == last) return last;
    last = value;
  }
}

TEST(RowWriter, LetsNobodyRunFarAheadOfTheEarliestChunk) {
  Neighbours<3> lists;
  Writer writer;
  writer.open(kChunks, kChunks, 2, false, false, lists);
  auto earliest = writer.take(0, 0, 1);
  std::atomic<std::size_t> taken{0};
  std::thread other([&] {
    for (std::size_t number = 1; number < kChunks; ++number) {
      auto chunk = writer.take(number, number, number + 1);
      taken = number;
      write(writer, std::move(chunk), lists);
    }
  });
  const std::size_t ahead = settled(taken);
  EXPECT_GE(ahead, 1u);
  EXPECT_LT(ahead, 20u);
  write(writer, std::move(earliest), lists);
  other.join();
  writer.close();
  ASSERT_EQ(lists.ids.size(), kChunks);
  for (std::uint32_t k = 0; k < kChunks; ++k) {
    EXPECT_EQ(lists.ids[k], k);
    EXPECT_EQ(lists.offsets[k + 1], k + 1);
  }
}

TEST(RowWriter, MovesAChunkToItsPlaceWhenItsTurnComes) {
  Neighbours<3> lists;
  Writer writer;
  writer.open(3, 2, 2, true, false, lists);
  auto first = writer.take(0, 0, 1), second = writer.take(1, 1, 3);
  const auto add = [&](Writer::Chunk& chunk, std::size_t row, std::uint32_t id) {
    const auto out = writer.reserve(chunk, row, 1);
    out.ids[0] = id;
    out.squared_distances[0] = static_cast<float>(id);
    lists.offsets[row + 1] = ++chunk.end;
  };
  add(*second, 1, 7);
  EXPECT_FALSE(second->in_place);
  add(*first, 0, 5);
  EXPECT_TRUE(first->in_place);
  writer.commit(std::move(first));
  add(*second, 2, 9);
  EXPECT_TRUE(second->in_place);
  writer.commit(std::move(second));
  writer.close();
  EXPECT_TRUE(std::ranges::equal(lists.ids, std::vector<std::uint32_t>{5, 7, 9}));
  EXPECT_TRUE(std::ranges::equal(lists.squared_distances, std::vector<float>{5, 7, 9}));
  EXPECT_TRUE(std::ranges::equal(lists.offsets, std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(RowWriter, FreesThoseWhoWaitForAChunkThatIsGivenUp) {
  Neighbours<3> lists;
  Writer writer;
  writer.open(kChunks, kChunks, 2, false, false, lists);
  const auto earliest = writer.take(0, 0, 1);
  std::atomic<std::size_t> taken{0};
  std::thread other([&] {
    for (std::size_t number = 1; number < kChunks; ++number) {
      auto chunk = writer.take(number, number, number + 1);
      if (chunk == nullptr) return;
      taken = number;
      write(writer, std::move(chunk), lists);
    }
  });
  settled(taken);
  writer.give_up();
  other.join();
  EXPECT_LT(taken, kChunks - 1);
}

std::vector<Point<3>> points_on_a_line(std::size_t n) {
  std::vector<Point<3>> points(n);
  for (std::size_t i = 0; i < n; ++i)
    points[i] = {static_cast<float>(i % 10), static_cast<float>(i), static_cast<float>(i / 100)};
  return points;
}

// Workers by number, but one thread for them all.
class OneThread final : public Executor {
 public:
  std::size_t workers() const override { return 4; }
  void parallel_for(std::size_t n, std::size_t grain, LoopBody body) override {
    grain = std::max<std::size_t>(grain, 1);
    for (std::size_t begin = 0; begin < n; begin += grain)
      body(begin, std::min(n, begin + grain), begin / grain % 4);
  }
};

TEST(RowWriter, WorksForAnyThreadsBehindTheWorkers) {
  const auto points = points_on_a_line(50000);
  const NeighbourOptions<3> options{.rows = RowOrder::sorted};
  const auto expected = neighbours<3, float>(points, 20.0f, options);
  OneThread one;
  test::ThreadExecutor five(5);
  for (Executor* executor : {static_cast<Executor*>(&one), static_cast<Executor*>(&five)}) {
    NeighbourSearch<3> search;
    Neighbours<3> lists;
    for (int step = 0; step < 2; ++step) search.find(points, 20.0f, options, *executor, lists);
    EXPECT_TRUE(std::ranges::equal(lists.offsets, expected.offsets));
    EXPECT_TRUE(std::ranges::equal(lists.ids, expected.ids));
  }
}

}  // namespace
}  // namespace winnow
