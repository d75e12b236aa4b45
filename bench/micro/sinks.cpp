// What a pair costs in each sink, written in blocks of 64 as kernels do.
#include <benchmark/benchmark.h>

#include "winnow/sink.hpp"

namespace winnow {
namespace {

void write_pairs(PairSink& sink, std::uint32_t count) {
  sink.open(1);
  PairWriter& writer = sink.writer(0);
  for (std::uint32_t i = 0; i < count; i += 64) {
    Pair* out = writer.reserve(64);
    for (std::uint32_t k = 0; k < 64; ++k) *out++ = {i, i + k + 1};
    writer.commit(out);
  }
  sink.close();
}

void time_sink(benchmark::State& state, PairSink& sink) {
  for (auto _ : state) write_pairs(sink, static_cast<std::uint32_t>(state.range(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Sink>
void plain(benchmark::State& state) {
  Sink sink;
  time_sink(state, sink);
}

void canonical(benchmark::State& state) {
  SerialExecutor serial;
  CanonicalSink sink(serial);
  time_sink(state, sink);
}

BENCHMARK(plain<CollectSink>)->Name("sink/collect")->Arg(1 << 16);
BENCHMARK(plain<CountSink>)->Name("sink/count")->Arg(1 << 16);
BENCHMARK(plain<DigestSink>)->Name("sink/digest")->Arg(1 << 16);
BENCHMARK(canonical)->Name("sink/canonical")->Arg(1 << 16);

}  // namespace
}  // namespace winnow
