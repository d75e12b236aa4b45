// Sinks that look at pairs block by block: count, digest, callback.
#include <algorithm>

#include "winnow/sink.hpp"

namespace winnow {

class BlockSink::Writer final : public PairWriter {
 public:
  Writer(BlockSink& sink, std::size_t worker) : sink_(sink), worker_(worker) { reset(kBlock); }

  void flush() {
    if (cursor_ != begin_) sink_.consume(worker_, {begin_, cursor_});
    cursor_ = begin_;
  }
  void discard() { cursor_ = begin_; }

 private:
  void make_room(std::size_t count) override {
    flush();
    if (count > block_.size()) reset(count);
  }
  void reset(std::size_t size) {
    block_.resize_for_overwrite(size);
    begin_ = cursor_ = block_.data();
    end_ = begin_ + size;
  }

  BlockSink& sink_;
  std::size_t worker_;
  Buffer<Pair> block_;
};

BlockSink::BlockSink() = default;
BlockSink::~BlockSink() = default;

void BlockSink::open(std::size_t workers) {
  writers_.resize(std::min(writers_.size(), workers));
  for (auto& writer : writers_) writer->discard();
  while (writers_.size() < workers) writers_.push_back(std::make_unique<Writer>(*this, writers_.size()));
  start(workers);
}

PairWriter& BlockSink::writer(std::size_t worker) { return *writers_[worker]; }

void BlockSink::close() {
  for (auto& writer : writers_) writer->flush();
}

void CountSink::start(std::size_t workers) { counts_.assign(workers, {}); }
void CountSink::consume(std::size_t worker, std::span<const Pair> block) {
  counts_[worker].value += block.size();
}
std::uint64_t CountSink::count() const {
  std::uint64_t sum = 0;
  for (const Count& count : counts_) sum += count.value;
  return sum;
}

void DigestSink::start(std::size_t workers) { parts_.assign(workers, {}); }
void DigestSink::consume(std::size_t worker, std::span<const Pair> block) { parts_[worker].value.add(block); }
PairDigest DigestSink::digest() const {
  PairDigest digest;
  for (const Part& part : parts_) digest.add(part.value);
  return digest;
}

}  // namespace winnow
