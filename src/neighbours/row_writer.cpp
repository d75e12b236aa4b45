#include "neighbours/row_writer.hpp"

#include <algorithm>
#include <cstring>

namespace winnow {
namespace {

// Chunks a worker may be ahead: enough that one which takes three times as long as others holds up nobody.
constexpr std::size_t kAhead = 4;

}  // namespace

template <int Dim, class Real>
void RowWriter<Dim, Real>::open(std::size_t rows, std::size_t chunks, std::size_t workers, bool distances,
                                bool images, Neighbours<Dim, Real>& lists) {
  lists_ = &lists;
  distances_ = distances;
  images_ = images;
  lists.offsets.resize_for_overwrite(rows + 1);
  lists.offsets[0] = 0;
  lists.ids.clear();
  lists.squared_distances.clear();
  lists.shifts.clear();
  waiting_.clear();
  waiting_.resize(chunks);
  next_ = 0;
  ahead_ = kAhead * workers;
  given_up_ = false;
  total_ = 0;
}

template <int Dim, class Real>
std::unique_ptr<typename RowWriter<Dim, Real>::Chunk> RowWriter<Dim, Real>::take(std::size_t number,
                                                                                 std::size_t first_row,
                                                                                 std::size_t last_row) {
  std::unique_lock lock(mutex_);
  turn_.wait(lock, [&] { return number < next_ + ahead_ || given_up_; });
  if (given_up_) return nullptr;
  std::unique_ptr<Chunk> chunk;
  if (spare_.empty()) {
    chunk = std::make_unique<Chunk>();
  } else {
    chunk = std::move(spare_.back());
    spare_.pop_back();
  }
  chunk->number = number;
  chunk->first_row = first_row;
  chunk->last_row = last_row;
  chunk->in_place = number == next_;
  chunk->base = chunk->end = chunk->in_place ? total_ : 0;
  return chunk;
}

template <int Dim, class Real>
NeighbourOutput<Dim, Real> RowWriter<Dim, Real>::reserve(Chunk& chunk, std::size_t row, std::uint64_t more) {
  // All before it are done by now: what is left need not be copied.
  if (!chunk.in_place && chunk.number == next_) {
    chunk.base = total_;
    chunk.end += total_;
    grow_lists(chunk.end);
    copy(chunk, row);
    chunk.in_place = true;
  }
  const std::uint64_t size = chunk.end + more;
  if (chunk.in_place) grow_lists(size);
  const auto room = [&](auto& own, auto& listed) {
    if (chunk.in_place) return listed.data() + chunk.end;
    if (own.size() < size) own.resize(size * 3 / 2);
    return own.data() + chunk.end;
  };
  return {room(chunk.ids, lists_->ids),
          distances_ ? room(chunk.squared_distances, lists_->squared_distances) : nullptr,
          images_ ? room(chunk.shifts, lists_->shifts) : nullptr};
}

// Whoever finishes the chunk that others wait for gives them all their places; each then copies what has one.
template <int Dim, class Real>
void RowWriter<Dim, Real>::commit(std::unique_ptr<Chunk> chunk) {
  std::vector<std::unique_ptr<Chunk>> ready;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t number = chunk->number;
    waiting_[number] = std::move(chunk);
    for (; next_ < waiting_.size() && waiting_[next_] != nullptr; ++next_) {
      place(*waiting_[next_]);
      ready.push_back(std::move(waiting_[next_]));
    }
  }
  turn_.notify_all();
  for (const auto& one : ready)
    if (!one->in_place) copy(*one, one->last_row);
  const std::lock_guard lock(mutex_);
  for (auto& one : ready) spare_.push_back(std::move(one));
}

template <int Dim, class Real>
void RowWriter<Dim, Real>::give_up() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  turn_.notify_all();
}

template <int Dim, class Real>
void RowWriter<Dim, Real>::place(Chunk& chunk) {
  chunk.end += total_ - chunk.base;
  chunk.base = total_;
  total_ = chunk.end;
  grow_lists(total_);
}

// Called for the chunk whose turn it is, by one worker at a time; others may be copying.
template <int Dim, class Real>
void RowWriter<Dim, Real>::grow_lists(std::uint64_t size) {
  if (size <= lists_->ids.size()) return;
  const std::unique_lock alone(growing_);
  size = std::max<std::uint64_t>(size + size / 2, lists_->ids.capacity());
  lists_->ids.resize(size);
  if (distances_) lists_->squared_distances.resize(size);
  if (images_) lists_->shifts.resize(size);
}

template <int Dim, class Real>
void RowWriter<Dim, Real>::copy(const Chunk& chunk, std::size_t last_row) {
  const std::shared_lock shared(growing_);
  const auto put = [&](const auto& from, auto& to) {
    if (chunk.end != chunk.base)
      std::memcpy(to.data() + chunk.base, from.data(), (chunk.end - chunk.base) * sizeof(*from.data()));
  };
  put(chunk.ids, lists_->ids);
  if (distances_) put(chunk.squared_distances, lists_->squared_distances);
  if (images_) put(chunk.shifts, lists_->shifts);
  for (std::size_t row = chunk.first_row; row < last_row; ++row) lists_->offsets[row + 1] += chunk.base;
}

template <int Dim, class Real>
void RowWriter<Dim, Real>::close() {
  lists_->ids.resize(total_);
  if (distances_) lists_->squared_distances.resize(total_);
  if (images_) lists_->shifts.resize(total_);
}

template <int Dim, class Real>
std::size_t RowWriter<Dim, Real>::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& chunk : spare_) bytes += chunk->memory_bytes();
  return bytes;
}

template class RowWriter<2, float>;
template class RowWriter<3, float>;
template class RowWriter<2, double>;
template class RowWriter<3, double>;

}  // namespace winnow
