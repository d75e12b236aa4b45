// Work that every pair finder has to do, each measured as a contender in the same run, on one thread whatever
// the others use: the limit of what is possible on the machine.
#include <array>
#include <cstring>
#include <numeric>
#include <random>

#include "bench/contender.hpp"
#include "winnow/buffer.hpp"

namespace winnow::bench {
namespace {

class CopyFloor final : public Contender {
 public:
  void update(std::span<const Box3> boxes) override {
    copy_.resize_for_overwrite(boxes.size());
    std::memcpy(copy_.data(), boxes.data(), boxes.size_bytes());
  }
  void find_pairs(PairSink&) override {}

 private:
  Buffer<Box3> copy_;
};

// Random keys of 32 bits with 32-bit ids, sorted the plain way: all digits counted in one pass, then a pass
// for each.
class SortFloor final : public Contender {
 public:
  void update(std::span<const Box3> boxes) override {
    if (keys_.size() != boxes.size()) make_keys(boxes.size());
    std::array<std::array<std::uint32_t, 256>, 4> places{};
    for (const Record& record : keys_)
      for (int digit = 0; digit < 4; ++digit) ++places[digit][record.key >> 8 * digit & 255];
    for (auto& places_of_digit : places)
      std::exclusive_scan(places_of_digit.begin(), places_of_digit.end(), places_of_digit.begin(), 0u);
    scatter(keys_, even_, places[0], 0);
    scatter(even_, odd_, places[1], 8);
    scatter(odd_, even_, places[2], 16);
    scatter(even_, odd_, places[3], 24);
  }
  void find_pairs(PairSink&) override {}

 private:
  struct Record {
    std::uint32_t key, id;
  };

  void make_keys(std::size_t n) {
    std::mt19937 random(1);
    for (Buffer<Record>* buffer : {&keys_, &even_, &odd_}) buffer->resize_for_overwrite(n);
    for (std::size_t i = 0; i < n; ++i)
      keys_[i] = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(i)};
  }
  static void scatter(const Buffer<Record>& from, Buffer<Record>& to, std::array<std::uint32_t, 256>& places,
                      int shift) {
    for (const Record& record : from) to[places[record.key >> shift & 255]++] = record;
  }

  Buffer<Record> keys_, even_, odd_;
};

class WriteFloor final : public Contender {
 public:
  void expect(std::uint64_t pairs) override { pairs_ = pairs; }
  void update(std::span<const Box3>) override {}
  void find_pairs(PairSink& sink) override {
    sink.open(1);
    Pair* out = sink.writer(0).reserve(pairs_);
    for (std::uint32_t i = 0; i < pairs_; ++i) *out++ = {i, i + 1};
    sink.writer(0).commit(out);
    sink.close();
  }

 private:
  std::uint64_t pairs_ = 0;
};

}  // namespace

std::vector<ContenderEntry> floors() {
  const auto entry = [](std::string name, std::string summary, auto make) -> ContenderEntry {
    return {{.kind = "floor", .name = std::move(name), .summary = std::move(summary), .parallel = true},
            make};
  };
  return {
      entry("floor_copy", "copy of the input", [](std::size_t) { return std::make_unique<CopyFloor>(); }),
      entry("floor_sort", "radix sort of a 32-bit key and a 32-bit id per object",
            [](std::size_t) { return std::make_unique<SortFloor>(); }),
      entry("floor_write", "writing the pairs", [](std::size_t) { return std::make_unique<WriteFloor>(); })};
}

}  // namespace winnow::bench
