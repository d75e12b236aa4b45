// Rows of neighbours found in chunks by many workers, joined in order, at once or while the chunks are still
// in the cache: the lists come out the same for any number of workers, and nobody counts first.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "neighbours/neighbours_kernel.hpp"
#include "winnow/neighbours.hpp"

namespace winnow {

template <int Dim, class Real>
class RowWriter {
 public:
  // The neighbours of the rows [first_row, last_row). When all chunks before it are done its place in the
  // lists is known, and it is written there; until then it is in buffers of its own, and counts from 0.
  struct Chunk {
    Buffer<std::uint32_t> ids;
    Buffer<Real> squared_distances;
    Buffer<ImageShift<Dim>> shifts;
    std::uint64_t base = 0;  // where the chunk begins in the lists, once that is known
    std::uint64_t end = 0;   // base and how many have been written
    bool in_place = false;
    std::size_t number = 0, first_row = 0, last_row = 0;

    std::size_t memory_bytes() const {
      return ids.memory_bytes() + squared_distances.memory_bytes() + shifts.memory_bytes();
    }
  };

  // The lists get `rows` rows. Chunks 0 .. chunks - 1 will be taken, in order, and committed, in any order,
  // at most `workers` at a time. Until then offsets[row + 1] is to hold the row's end as its chunk counts.
  void open(std::size_t rows, std::size_t chunks, std::size_t workers, bool distances, bool images,
            Neighbours<Dim, Real>& lists);
  // Waits while too many finished chunks wait for an earlier one, so that these need little memory. No worker
  // waits for itself or for one that has not begun: the earliest chunk was taken before, and whoever has it
  // does not wait. None when somebody has given up.
  std::unique_ptr<Chunk> take(std::size_t number, std::size_t first_row, std::size_t last_row);
  // Called instead of commit when a chunk will never be finished.
  void give_up();
  // Room for `more` neighbours from `row` on; those written stay, though the chunk may go to its place now
  // and count anew.
  NeighbourOutput<Dim, Real> reserve(Chunk& chunk, std::size_t row, std::uint64_t more);
  void commit(std::unique_ptr<Chunk> chunk);
  void close();

  std::size_t memory_bytes() const;

 private:
  void place(Chunk& chunk);
  void grow_lists(std::uint64_t size);
  void copy(const Chunk& chunk, std::size_t last_row);

  Neighbours<Dim, Real>* lists_ = nullptr;
  bool distances_ = false, images_ = false;
  std::mutex mutex_;
  std::condition_variable turn_;                 // next_ has grown, or somebody has given up
  std::shared_mutex growing_;                    // copying shares it; growing the lists has it alone
  std::vector<std::unique_ptr<Chunk>> waiting_;  // finished, but an earlier chunk is not
  std::vector<std::unique_ptr<Chunk>> spare_;
  // The first chunk that is not done. Grows under the mutex; who works on that chunk is the only one to make
  // it grow, and may read what is written before it does.
  std::atomic<std::size_t> next_{0};
  std::size_t ahead_ = 0;  // chunks from there on that may be taken
  bool given_up_ = false;
  std::uint64_t total_ = 0;  // neighbours in chunks before next_
};

}  // namespace winnow
