// Work that every pair finder has to do, each measured as a candidate in the same run: the limit of what is
// possible on the machine.
#include <cstring>

#include "algo/radix_sort.hpp"
#include "bench/candidate.hpp"

namespace winnow::bench {
namespace {

class CopyFloor final : public Candidate {
 public:
  void update(std::span<const Box3> boxes) override {
    copy_.resize_for_overwrite(boxes.size());
    std::memcpy(copy_.data(), boxes.data(), boxes.size_bytes());
  }
  void find_pairs(PairSink&) override {}

 private:
  Buffer<Box3> copy_;
};

// Keys spread over all 32 bits, so that no digit can be skipped.
class SortFloor final : public Candidate {
 public:
  explicit SortFloor(std::size_t threads) : executor_(make_executor(threads)) {}

  void update(std::span<const Box3> boxes) override {
    records_.resize_for_overwrite(boxes.size());
    for (std::size_t i = 0; i < records_.size(); ++i)
      records_[i] = {static_cast<std::uint32_t>(i) * 2654435761u, static_cast<std::uint32_t>(i)};
    radix_sort(records_, scratch_, *executor_);
  }
  void find_pairs(PairSink&) override {}

 private:
  using Record = KeyedId<std::uint32_t>;
  std::unique_ptr<Executor> executor_;
  Buffer<Record> records_;
  RadixScratch<Record> scratch_;
};

class WriteFloor final : public Candidate {
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

std::vector<CandidateEntry> floors() {
  const auto entry = [](std::string name, std::string summary, bool parallel, auto make) -> CandidateEntry {
    return {{.kind = "floor", .name = std::move(name), .summary = std::move(summary), .parallel = parallel},
            make};
  };
  return {entry("floor_copy", "copy of the input", true,
                [](std::size_t) { return std::make_unique<CopyFloor>(); }),
          entry("floor_sort", "radix sort of a 32-bit key and a 32-bit id per object", true,
                [](std::size_t threads) { return std::make_unique<SortFloor>(threads); }),
          entry("floor_write", "writing the pairs", true,
                [](std::size_t) { return std::make_unique<WriteFloor>(); })};
}

}  // namespace winnow::bench
