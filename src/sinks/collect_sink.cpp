// Sinks that keep pairs: collected as they come, or in canonical order.
#include <algorithm>

#include "algo/radix_sort.hpp"
#include "winnow/sink.hpp"

namespace winnow {

class CollectSink::Writer final : public PairWriter {
 public:
  void clear() { cursor_ = begin_; }
  std::span<const Pair> pairs() const { return {begin_, cursor_}; }

 private:
  void make_room(std::size_t count) override {
    const std::size_t used = static_cast<std::size_t>(cursor_ - begin_);
    const std::size_t room = std::max(used + count, used * 2);
    pairs_.resize(used);  // what grows keeps the committed pairs only
    pairs_.resize(room);
    begin_ = pairs_.data();
    cursor_ = begin_ + used;
    end_ = begin_ + pairs_.size();
  }

  Buffer<Pair> pairs_;
};

CollectSink::CollectSink() = default;
CollectSink::~CollectSink() = default;

void CollectSink::open(std::size_t workers) {
  writers_.resize(std::min(writers_.size(), workers));
  for (auto& writer : writers_) writer->clear();
  while (writers_.size() < workers) writers_.push_back(std::make_unique<Writer>());
}

PairWriter& CollectSink::writer(std::size_t worker) { return *writers_[worker]; }
void CollectSink::close() {}

std::size_t CollectSink::parts() const { return writers_.size(); }
std::span<const Pair> CollectSink::part(std::size_t i) const { return writers_[i]->pairs(); }

std::uint64_t CollectSink::size() const {
  std::uint64_t sum = 0;
  for (const auto& writer : writers_) sum += writer->pairs().size();
  return sum;
}

void CollectSink::join(std::vector<Pair>& pairs, Executor& executor) const {
  pairs.resize(size());
  std::vector<Pair*> places;
  Pair* place = pairs.data();
  for (std::size_t i = 0; i < parts(); ++i) {
    places.push_back(place);
    place += part(i).size();
  }
  parallel_for(executor, parts(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) std::ranges::copy(part(i), places[i]);
  });
}

std::vector<Pair> CollectSink::join(Executor& executor) const {
  std::vector<Pair> pairs;
  join(pairs, executor);
  return pairs;
}

void CanonicalSink::close() {
  join(pairs_, *executor_);
  sort_canonical(pairs_, *executor_);
}

void sort_canonical(std::span<Pair> pairs, Executor& executor) {
  RadixScratch<Pair> scratch;
  const Pair* sorted = radix_sort(pairs, scratch, executor, pair_key);
  if (sorted == pairs.data()) return;
  parallel_for(executor, pairs.size(), 1 << 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::copy(sorted + begin, sorted + end, pairs.data() + begin);
  });
}

}  // namespace winnow
