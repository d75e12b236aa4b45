// Where pairs go. A method asks the sink for one writer per worker and writes blocks of pairs; there is a
// virtual call per block, never per pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"
#include "winnow/pair.hpp"

namespace winnow {

// One worker's way into a sink. Use:
//   Pair* out = writer.reserve(most_i_will_write_now);
//   ... *out++ = pair; ...
//   writer.commit(out);
// Pairs past the committed ones may be scribbled on, up to the reserved room.
class alignas(kCacheLine) PairWriter {
 public:
  virtual ~PairWriter() = default;

  // Room for at least `count` pairs. Pointers had before are invalid.
  Pair* reserve(std::size_t count) {
    if (static_cast<std::size_t>(end_ - cursor_) < count) make_room(count);
    return cursor_;
  }
  void commit(Pair* end) { cursor_ = end; }
  void write(Pair pair) {
    *reserve(1) = pair;
    ++cursor_;
  }

 protected:
  // Takes the pairs in [begin_, cursor_) away or grows, and leaves at least `count` free ones at cursor_.
  virtual void make_room(std::size_t count) = 0;

  Pair* begin_ = nullptr;
  Pair* cursor_ = nullptr;
  Pair* end_ = nullptr;
};

class PairSink {
 public:
  virtual ~PairSink() = default;

  // Forgets earlier results and makes ready for this many workers. Callers of a method do not call it: the
  // method's handle does (AnyMethod::find_pairs), and close() at the end.
  virtual void open(std::size_t workers) = 0;
  virtual PairWriter& writer(std::size_t worker) = 0;
  virtual void close() = 0;
};

// A sink that looks at pairs block by block and keeps none: `consume(worker, block)` is called from the
// worker's thread.
class BlockSink : public PairSink {
 public:
  static constexpr std::size_t kBlock = 1024;  // pairs; 8 KiB stay in the first-level cache

  BlockSink();
  ~BlockSink() override;
  void open(std::size_t workers) override;
  PairWriter& writer(std::size_t worker) override;
  void close() override;

 protected:
  virtual void start(std::size_t workers) = 0;
  virtual void consume(std::size_t worker, std::span<const Pair> block) = 0;

 private:
  class Writer;
  std::vector<std::unique_ptr<Writer>> writers_;
};

// Counts pairs.
class CountSink final : public BlockSink {
 public:
  std::uint64_t count() const;

 private:
  void start(std::size_t workers) override;
  void consume(std::size_t worker, std::span<const Pair> block) override;
  struct alignas(kCacheLine) Count {
    std::uint64_t value = 0;
  };
  std::vector<Count> counts_;
};

// Digests pairs: equal digests, equal sets.
class DigestSink final : public BlockSink {
 public:
  PairDigest digest() const;

 private:
  void start(std::size_t workers) override;
  void consume(std::size_t worker, std::span<const Pair> block) override;
  struct alignas(kCacheLine) Part {
    PairDigest value;
  };
  std::vector<Part> parts_;
};

// Calls the caller's function for each block, from the worker that found it: callback(worker, pairs).
class CallbackSink final : public BlockSink {
 public:
  using Callback = std::function<void(std::size_t worker, std::span<const Pair> pairs)>;
  explicit CallbackSink(Callback callback) : callback_(std::move(callback)) {}

 private:
  void start(std::size_t) override {}
  void consume(std::size_t worker, std::span<const Pair> block) override { callback_(worker, block); }
  Callback callback_;
};

// Keeps all pairs, each worker's in a buffer of its own; nothing is copied until the parts are joined. Room
// is kept from frame to frame.
class CollectSink : public PairSink {
 public:
  CollectSink();
  ~CollectSink() override;
  void open(std::size_t workers) override;
  PairWriter& writer(std::size_t worker) override;
  void close() override;

  std::uint64_t size() const;
  std::size_t parts() const;                        // one per worker
  std::span<const Pair> part(std::size_t i) const;  // in the order the worker found them

  // All pairs one after the other; the parts are copied at the same time, each to its place.
  void join(std::vector<Pair>& pairs, Executor& executor) const;
  std::vector<Pair> join(Executor& executor) const;

 private:
  class Writer;
  std::vector<std::unique_ptr<Writer>> writers_;
};

// Keeps all pairs and sorts them by a, then b.
class CanonicalSink final : public CollectSink {
 public:
  explicit CanonicalSink(Executor& executor) : executor_(&executor) {}
  void close() override;
  const std::vector<Pair>& pairs() const { return pairs_; }
  std::vector<Pair> take() { return std::move(pairs_); }

 private:
  Executor* executor_;
  std::vector<Pair> pairs_;
};

// Sorts pairs by a, then b.
void sort_canonical(std::span<Pair> pairs, Executor& executor);

}  // namespace winnow
