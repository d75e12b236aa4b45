#include "methods/kdtree_sweep/pair_cache.hpp"

#include <algorithm>
#include <cstring>

#include "methods/kdtree_sweep/margin.hpp"
#include "methods/kdtree_sweep/prefetch.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kPartsPerWorker = 4;
constexpr std::size_t kBlock = 1024;  // pairs that stay in the first-level cache between two passes
constexpr std::size_t kAhead = 12;    // pairs whose boxes are on their way

// Moves the pairs of resting objects among [from, from + count) to `to`, which is not after them.
std::size_t keep_resting(const Pair* from, std::size_t count, const MovedFlags& moved, Pair* to) {
  const Pair* begin = to;
  for (std::size_t i = 0; i < count; ++i) {
    const Pair pair = from[i];
    *to = pair;  // written always, kept by moving on: no branch to mispredict
    to += (moved[pair.a] | moved[pair.b]) == 0;
  }
  return static_cast<std::size_t>(to - begin);
}

// Forgets the pairs of moved objects, and calls write(kept pairs) block by block.
template <class Write>
void sift(Buffer<Pair>& pairs, const MovedFlags* moved, Write write) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); i += kBlock) {
    const std::size_t count = std::min(kBlock, pairs.size() - i);
    Pair* to = pairs.data() + kept;
    const std::size_t staying = moved == nullptr ? count : keep_resting(pairs.data() + i, count, *moved, to);
    write(std::span<const Pair>(to, staying));
    kept += staying;
  }
  pairs.resize(kept);
}

void write_all(std::span<const Pair> pairs, PairWriter& writer) {
  Pair* out = writer.reserve(pairs.size());
  if (!pairs.empty()) std::memcpy(out, pairs.data(), pairs.size_bytes());
  writer.commit(out + pairs.size());
}

template <int Dim>
void write_overlapping(std::span<const Pair> pairs, BoxesView<Dim> boxes, PairWriter& writer) {
  Pair* out = writer.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i + kAhead < pairs.size()) {
      prefetch(boxes, pairs[i + kAhead].a);
      prefetch(boxes, pairs[i + kAhead].b);
    }
    *out = pairs[i];
    out += overlaps(boxes[pairs[i].a], boxes[pairs[i].b]);
  }
  writer.commit(out);
}

void append(Buffer<Pair>& pairs, std::span<const Pair> more) {
  const std::size_t size = pairs.size();
  pairs.resize(size + more.size());
  std::ranges::copy(more, pairs.data() + size);
}

}  // namespace

template <int Dim>
void PairCache<Dim>::deliver(BoxesView<Dim> boxes, const MovedFlags* moved, Executor& executor,
                             PairSink& sink) {
  parallel_for(executor, parts_.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    PairWriter& writer = sink.writer(worker);
    for (std::size_t i = begin; i < end; ++i) {
      sift(parts_[i].certain, moved, [&](std::span<const Pair> kept) { write_all(kept, writer); });
      sift(parts_[i].near, moved,
           [&](std::span<const Pair> kept) { write_overlapping(kept, boxes, writer); });
    }
  });
}

template <int Dim>
void PairCache<Dim>::Sink::start(std::size_t workers) {
  if (cache_.parts_.size() < workers * kPartsPerWorker) cache_.parts_.resize(workers * kPartsPerWorker);
}

template <int Dim>
void PairCache<Dim>::Sink::consume(std::size_t worker, std::span<const Pair> block) {
  const std::size_t turn = cache_.parts_[worker * kPartsPerWorker].blocks++ % kPartsPerWorker;
  Part& part = cache_.parts_[worker * kPartsPerWorker + turn];
  Pair certain[kBlock], near[kBlock];
  for (std::size_t from = 0; from < block.size(); from += kBlock) {
    Pair *certain_end = certain, *near_end = near;
    for (const Pair slots : block.subspan(from, std::min(kBlock, block.size() - from))) {
      const Object<Dim>& a = tree_.objects()[slots.a];
      const Object<Dim>& b = tree_.objects()[slots.b];
      const bool sure = overlaps(core_of(a.box, margin_), core_of(b.box, margin_));
      *certain_end = *near_end = ordered_pair(a.id, b.id);
      certain_end += sure;
      near_end += !sure;
    }
    PairWriter& writer = next_.writer(worker);
    append(part.certain, {certain, certain_end});
    append(part.near, {near, near_end});
    write_all({certain, certain_end}, writer);
    write_overlapping({near, near_end}, boxes_, writer);
  }
}

template <int Dim>
std::uint64_t PairCache<Dim>::size() const {
  std::uint64_t size = 0;
  for (const Part& part : parts_) size += part.certain.size() + part.near.size();
  return size;
}

template <int Dim>
std::size_t PairCache<Dim>::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_)
    bytes += sizeof(Part) + part.certain.memory_bytes() + part.near.memory_bytes();
  return bytes;
}

template class PairCache<2>;
template class PairCache<3>;

}  // namespace winnow::kdtree_sweep
