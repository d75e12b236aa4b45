// Which pairs are kept: a FilterSink stands before another sink and passes on the pairs that a predicate
// keeps.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "winnow/sink.hpp"

namespace winnow {

// `keep(pair)` is called from the workers' threads, at the same time, and is inlined into the loop over a
// block.
template <class Keep>
class FilterSink final : public BlockSink {
 public:
  FilterSink(PairSink& next, Keep keep) : next_(&next), keep_(std::move(keep)) {}

  void close() override {
    BlockSink::close();
    next_->close();
  }

 private:
  void start(std::size_t workers) override { next_->open(workers); }

  void consume(std::size_t worker, std::span<const Pair> block) override {
    PairWriter& writer = next_->writer(worker);
    Pair* out = writer.reserve(block.size());
    for (const Pair pair : block) {
      *out = pair;  // written always, kept by moving on: no branch to mispredict
      out += static_cast<bool>(keep_(pair));
    }
    writer.commit(out);
  }

  PairSink* next_;
  Keep keep_;
};

}  // namespace winnow
