#include "winnow/sink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "support/random.hpp"
#include "support/thread_executor.hpp"
#include "winnow/filter.hpp"

namespace winnow {
namespace {

std::vector<Pair> some_pairs(std::size_t count) {
  test::Random random(count);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::uint32_t>(random.below(1u << 31));
    pairs.push_back({a, a + 1 + static_cast<std::uint32_t>(random.below(1u << 31))});
  }
  return pairs;
}

// Writes the pairs as methods do: worker by worker, in blocks of growing size, and one by one.
void fill(PairSink& sink, const std::vector<Pair>& pairs, std::size_t workers) {
  sink.open(workers);
  std::size_t done = 0, block = 1;
  for (std::size_t turn = 0; done < pairs.size(); ++turn, block = block * 3 % 5000) {
    PairWriter& writer = sink.writer(turn % workers);
    const std::size_t count = std::min(block, pairs.size() - done);
    Pair* out = writer.reserve(count + 8);
    out = std::copy_n(pairs.data() + done, count, out);
    out[0] = out[7] = {7, 7};  // scribbled past the end, as kernels do
    writer.commit(out);
    done += count;
    if (done < pairs.size()) writer.write(pairs[done++]);
  }
  sink.close();
}

std::vector<Pair> sorted(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

class Sinks : public testing::TestWithParam<std::size_t> {};  // by the number of pairs
INSTANTIATE_TEST_SUITE_P(Of, Sinks, testing::Values(0, 1, 2, 1023, 1024, 1025, 50'000));

TEST_P(Sinks, CollectEveryPair) {
  SerialExecutor executor;
  const auto pairs = some_pairs(GetParam());
  CollectSink sink;
  for (const std::size_t workers : {1, 3, 2}) {
    fill(sink, pairs, workers);
    EXPECT_EQ(sink.size(), pairs.size());
    EXPECT_EQ(sink.parts(), workers);
    EXPECT_EQ(sorted(sink.join(executor)), sorted(pairs));
    std::size_t in_parts = 0;
    for (std::size_t part = 0; part < workers; ++part) in_parts += sink.part(part).size();
    EXPECT_EQ(in_parts, pairs.size());
  }
}

TEST_P(Sinks, SortByAThenB) {
  test::ThreadExecutor executor(2);
  const auto pairs = some_pairs(GetParam());
  CanonicalSink sink(executor);
  fill(sink, pairs, 3);
  EXPECT_EQ(sink.pairs(), sorted(pairs));
  fill(sink, pairs, 1);
  EXPECT_EQ(sink.take(), sorted(pairs));
}

TEST_P(Sinks, CountAndDigest) {
  const auto pairs = some_pairs(GetParam());
  PairDigest expected;
  expected.add(pairs);
  CountSink count;
  DigestSink digest;
  for (const std::size_t workers : {1, 4, 2}) {
    fill(count, pairs, workers);
    fill(digest, pairs, workers);
    EXPECT_EQ(count.count(), pairs.size());
    EXPECT_EQ(digest.digest(), expected);
  }
}

TEST_P(Sinks, CallBackWithBlocks) {
  const auto pairs = some_pairs(GetParam());
  std::vector<Pair> seen;
  CallbackSink sink([&](std::size_t worker, std::span<const Pair> block) {
    EXPECT_LT(worker, 3u);
    EXPECT_FALSE(block.empty());
    seen.insert(seen.end(), block.begin(), block.end());
  });
  fill(sink, pairs, 3);
  EXPECT_EQ(sorted(seen), sorted(pairs));
}

TEST_P(Sinks, KeepWhatAFilterKeeps) {
  SerialExecutor executor;
  const auto pairs = some_pairs(GetParam());
  const auto odd = [](Pair pair) { return pair.a % 2 == 1; };
  const auto low = [](Pair pair) { return pair.b < 1u << 30; };
  CollectSink kept;
  FilterSink inner(kept, odd);
  FilterSink outer(inner, low);
  fill(outer, pairs, 2);
  std::vector<Pair> expected;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(expected),
               [&](Pair pair) { return odd(pair) && low(pair); });
  EXPECT_EQ(sorted(kept.join(executor)), sorted(expected));
}

TEST(Sinks, ForgetAnUnfinishedResultWhenOpenedAgain) {
  SerialExecutor executor;
  CollectSink collect;
  CountSink count;
  for (PairSink* sink : {static_cast<PairSink*>(&collect), static_cast<PairSink*>(&count)}) {
    sink->open(2);
    sink->writer(1).write({1, 2});  // then something threw: no close
    fill(*sink, {{3, 4}}, 2);
  }
  EXPECT_EQ(collect.join(executor), (std::vector<Pair>{{3, 4}}));
  EXPECT_EQ(count.count(), 1u);
}

TEST(Sinks, JoinInParallel) {
  const auto pairs = some_pairs(100'000);
  test::ThreadExecutor executor(3);
  CollectSink sink;
  fill(sink, pairs, 8);
  EXPECT_EQ(sorted(sink.join(executor)), sorted(pairs));
}

}  // namespace
}  // namespace winnow
