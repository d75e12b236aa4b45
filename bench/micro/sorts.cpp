// The radix sort against the standard library's, on keys spread over all bits.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

#include "algo/radix_sort.hpp"

namespace winnow {
namespace {

using Record = KeyedId<std::uint32_t>;

std::vector<Record> random_records(std::size_t n) {
  std::mt19937 random(1);
  std::vector<Record> records(n);
  for (std::size_t i = 0; i < n; ++i)
    records[i] = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(i)};
  return records;
}

template <class Sort>
void time_sort(benchmark::State& state, Sort sort) {
  const std::vector<Record> input = random_records(static_cast<std::size_t>(state.range(0)));
  Buffer<Record> records(input.size());
  for (auto _ : state) {
    std::ranges::copy(input, records.data());
    sort(records);
    benchmark::DoNotOptimize(records.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void radix(benchmark::State& state) {
  SerialExecutor serial;
  RadixScratch<Record> scratch;
  time_sort(state, [&](Buffer<Record>& records) { radix_sort(records, scratch, serial); });
}
void standard(benchmark::State& state) {
  time_sort(state, [](Buffer<Record>& records) {
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.key < b.key; });
  });
}

BENCHMARK(radix)->Name("sort/radix")->RangeMultiplier(16)->Range(1 << 8, 1 << 20);
BENCHMARK(standard)->Name("sort/std")->RangeMultiplier(16)->Range(1 << 8, 1 << 20);

}  // namespace
}  // namespace winnow
