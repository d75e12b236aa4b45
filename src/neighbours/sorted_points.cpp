#include "neighbours/sorted_points.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace winnow {
namespace {

constexpr int kDigitBits = 11;             // more counters than 2^11 leave the first-level cache
constexpr int kLastDigitBits = 12;         // but it hardly matters where points lie close together
constexpr int kMostSliceBits = 17;         // their counters fill half of a second-level cache
constexpr std::size_t kBuckets = 1024;     // about as many, if the points are spread evenly
constexpr std::size_t kGrain = 16 * 1024;  // points worth another worker

// Of a key's lowest `bits` bits, how many to sort by first: as few digits as can be, and of one size.
int leading_digit(int bits) {
  if (bits <= kLastDigitBits) return bits;
  const int digits = (bits + kDigitBits - 1) / kDigitBits;
  return (bits + digits - 1) / digits;
}

// How many of the leading bits of all keys to count by. Where these are too many for two digits, most cells
// are empty: thin slices of them tell where the points are.
int slice_bits(int bits, std::size_t points) {
  if (bits <= 2 * kDigitBits) return leading_digit(bits);
  return std::min({bits - kLastDigitBits, kMostSliceBits,
                   std::max(kDigitBits, static_cast<int>(std::bit_width(points)))});
}

// Counts become the places where each value's records begin.
void add_up(std::uint32_t* counts, std::size_t values, std::uint32_t first) {
  for (std::size_t value = 0; value < values; ++value) first += std::exchange(counts[value], first);
}

}  // namespace

// Sorts one bucket.
template <int Dim, class Real>
struct SortedPoints<Dim, Real>::Refinement {
  SortedPoints& to;
  const CellGrid<Dim, Real>& grid;
  std::uint16_t* digits;
  std::size_t cell;  // where the next one found goes

  // The records from[0 .. n) belong at `place` and their keys differ in the lowest `bits` bits only. `spare`
  // has room for as many.
  void sort(Record* from, Record* spare, std::size_t n, std::uint32_t place, int bits) {
    if (n == 0) return;
    // A few records are not worth many counters.
    const int digit = std::min(leading_digit(bits), static_cast<int>(std::bit_width(n)) + 3);
    const int rest = bits - digit;
    const std::size_t values = std::size_t{1} << digit;
    std::uint32_t places[1 << kLastDigitBits];
    std::uint64_t met[(1 << kLastDigitBits) / 64];  // a bit for each value that occurs
    std::fill_n(places, values, 0u);
    std::fill_n(met, (values + 63) / 64, std::uint64_t{0});
    const CellGrid<Dim, Real> cells = grid;  // a copy, for the stores below might change it
    for (std::size_t i = 0; i < n; ++i) {
      if (i % kFetched == 0 && rest == 0) fetch(place + i);
      const std::size_t value = (cells.key(from[i].at) >> rest) & (values - 1);
      digits[i] = static_cast<std::uint16_t>(value);
      met[value / 64] |= std::uint64_t{1} << value % 64;
      ++places[value];
    }
    if (rest == 0) {
      list_cells(grid.key(from[0].at) & ~static_cast<std::uint64_t>(values - 1), met, (values + 63) / 64,
                 places, place);
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t k = places[digits[i]]++;
        for (int axis = 0; axis < Dim; ++axis) to.x_[axis][k] = from[i].at[axis];
        to.ids_[k] = from[i].id;
      }
      return;
    }
    add_up(places, values, 0);
    for (std::size_t i = 0; i < n; ++i) spare[places[digits[i]]++] = from[i];
    for (std::size_t value = 0, begin = 0; value < values; begin = places[value++])
      sort(spare + begin, from + begin, places[value] - begin, place + static_cast<std::uint32_t>(begin),
           rest);
  }

  // The columns at a place, so that they are in the cache when points are put there in no order.
  static constexpr std::size_t kFetched = kCacheLine / sizeof(Real);
  void fetch(std::size_t place) const {
    for (int axis = 0; axis < Dim; ++axis) __builtin_prefetch(to.x_[axis].data() + place, 1);
    __builtin_prefetch(to.ids_.data() + place, 1);
  }

  // Counts become the places where each cell's points begin. Most values may be of empty cells.
  void list_cells(std::uint64_t first_key, const std::uint64_t* met, std::size_t words, std::uint32_t* places,
                  std::uint32_t begin) {
    for (std::size_t word = 0; word < words; ++word) {
      for (std::uint64_t bits = met[word]; bits != 0; bits &= bits - 1) {
        const std::size_t value = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        to.cell_keys_[cell] = first_key + value;
        to.cell_begin_[cell++] = begin;
        begin += std::exchange(places[value], begin);
      }
    }
  }
};

template <int Dim, class Real>
void SortedPoints<Dim, Real>::build(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid,
                                    Executor& executor) {
  size_ = points.size();
  ids_.resize_for_overwrite(size_ + kNeighbourSlack);
  for (Buffer<Real>& column : x_) {
    column.resize_for_overwrite(size_ + kNeighbourSlack);
    std::fill_n(column.data() + size_, kNeighbourSlack, Real{0});  // read, never used
  }
  std::fill_n(ids_.data() + size_, kNeighbourSlack, 0u);

  spread(points, grid, executor);

  // A bucket lists its cells where its points are, for it has no more cells than points.
  const std::size_t buckets = buckets_.size() - 1;
  cell_keys_.resize_for_overwrite(size_ + 1);
  bucket_cells_.resize_for_overwrite(buckets);
  workers_.resize(std::max(workers_.size(), executor.workers()));
  const std::size_t grain = std::max<std::size_t>(1, buckets * kGrain / 8 / (size_ + 1));
  parallel_for(executor, buckets, grain, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    auto& [spare, digits] = workers_[worker];
    for (std::size_t bucket = begin; bucket < end; ++bucket) {
      const std::uint32_t place = buckets_[bucket].begin;
      const std::size_t n = buckets_[bucket + 1].begin - place;
      spare.resize_for_overwrite(n);
      digits.resize_for_overwrite(n);
      Refinement refinement{*this, grid, digits.data(), place};
      refinement.sort(records_.data() + place, spare.data(), n, place, buckets_[bucket].bits);
      bucket_cells_[bucket] = static_cast<std::uint32_t>(refinement.cell - place);
    }
  });
  join_cells(static_cast<std::uint64_t>(grid.cells(0)));
}

// The first pass. Each worker's part of the points goes to its own places in each bucket, in order.
template <int Dim, class Real>
void SortedPoints<Dim, Real>::spread(PointsView<Dim, Real> points, const CellGrid<Dim, Real>& grid,
                                     Executor& executor) {
  const std::size_t parts = std::clamp<std::size_t>(size_ / kGrain, 1, executor.workers());
  const int bits = static_cast<int>(std::bit_width(grid.total_cells() - 1));
  const int shift = bits - slice_bits(bits, size_);
  const std::size_t slices = std::size_t{1} << (bits - shift);
  records_.resize_for_overwrite(size_);
  places_.resize_for_overwrite(parts * slices);
  // Each point's slice, kept where the cells' places will be listed later.
  cell_begin_.resize_for_overwrite(size_ + 1);
  std::uint32_t* const slice_of = cell_begin_.data();
  const auto for_each_part = [&](const auto& act) {
    parallel_for(executor, parts, 1, [&](std::size_t first, std::size_t last, std::size_t) {
      for (std::size_t part = first; part < last; ++part)
        act(part, size_ * part / parts, size_ * (part + 1) / parts);
    });
  };
  std::ranges::fill(places_, 0u);
  for_each_part([&](std::size_t part, std::size_t begin, std::size_t end) {
    const CellGrid<Dim, Real> cells = grid;  // copies, for the stores below might change them
    const PointsView<Dim, Real> view = points;
    std::uint32_t* const counts = places_.data() + part * slices;
    for (std::size_t i = begin; i < end; ++i) {
      const auto slice = static_cast<std::uint32_t>(cells.key(view[i]) >> shift);
      slice_of[i] = slice;
      ++counts[slice];
    }
  });
  make_buckets(parts, slices, shift);
  for_each_part([&](std::size_t part, std::size_t begin, std::size_t end) {
    const PointsView<Dim, Real> view = points;
    const std::uint16_t* const bucket_of = bucket_of_.data();
    std::uint32_t* const places = places_.data() + part * (buckets_.size() - 1);
    Record* const records = records_.data();
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t k = places[bucket_of[slice_of[i]]]++;
      __builtin_prefetch(records + k + 8, 1);  // where the bucket's records after the next few go
      records[k] = {view[i], static_cast<std::uint32_t>(i)};
    }
  });
}

// Slices with few points share a bucket; two side by side have more than a few, so there are at most 2 *
// kBuckets + 1. Counts of slices become the places of each part's points in each bucket.
template <int Dim, class Real>
void SortedPoints<Dim, Real>::make_buckets(std::size_t parts, std::size_t slices, int shift) {
  const std::size_t few = size_ / kBuckets + 1;
  buckets_.clear();
  bucket_of_.resize_for_overwrite(slices);
  std::size_t first = 0, points = 0;  // the current bucket's first slice and size
  std::uint32_t place = 0;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    std::size_t size = 0;
    for (std::size_t part = 0; part < parts; ++part) size += places_[part * slices + slice];
    if (buckets_.empty() || points + size > few) {
      first = slice;
      points = 0;
      buckets_.push_back({place, shift});
    }
    points += size;
    place += static_cast<std::uint32_t>(size);
    bucket_of_[slice] = static_cast<std::uint16_t>(buckets_.size() - 1);
    buckets_[buckets_.size() - 1].bits = shift + static_cast<int>(std::bit_width(first ^ slice));
  }
  const std::size_t buckets = buckets_.size();
  buckets_.push_back({place, 0});

  // There are no more buckets than slices, so that sums never reach counts not added yet.
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint32_t* const sums = places_.data() + part * buckets;
    for (std::size_t slice = 0; slice < slices; ++slice) {
      const std::uint32_t count = places_[part * slices + slice];
      const std::size_t bucket = bucket_of_[slice];
      sums[bucket] = (slice != 0 && bucket_of_[slice - 1] == bucket ? sums[bucket] : 0) + count;
    }
  }
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    place = buckets_[bucket].begin;
    for (std::size_t part = 0; part < parts; ++part)
      place += std::exchange(places_[part * buckets + bucket], place);
  }
}

// Cells of all buckets side by side, and the rows they form.
template <int Dim, class Real>
void SortedPoints<Dim, Real>::join_cells(std::uint64_t cells_in_row) {
  const std::size_t buckets = buckets_.size() - 1;
  std::size_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) total += bucket_cells_[bucket];
  cell_x_.resize_for_overwrite(total + 1);
  rows_.clear();
  std::uint32_t cells = 0;
  std::uint64_t row_end = 0;  // first key past the current row
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::size_t first = buckets_[bucket].begin;
    for (std::size_t cell = first; cell < first + bucket_cells_[bucket]; ++cell) {
      const std::uint64_t key = cell_keys_[cell];
      if (key >= row_end) {
        const std::uint64_t row = key / cells_in_row;
        row_end = (row + 1) * cells_in_row;
        rows_.push_back({row, cells});
      }
      cell_x_[cells] = static_cast<std::int32_t>(key + cells_in_row - row_end);
      cell_begin_[cells++] = cell_begin_[cell];
    }
  }
  // Ends for the last cell and row. No coordinate reaches them.
  cell_x_[cells] = std::numeric_limits<std::int32_t>::max();
  cell_begin_[cells] = static_cast<std::uint32_t>(size_);
  rows_.push_back({std::numeric_limits<std::uint64_t>::max(), cells});
}

template <int Dim, class Real>
std::size_t SortedPoints<Dim, Real>::memory_bytes() const {
  std::size_t bytes = ids_.memory_bytes() + cell_x_.memory_bytes() + cell_begin_.memory_bytes() +
                      cell_keys_.memory_bytes() + rows_.memory_bytes() + records_.memory_bytes() +
                      buckets_.memory_bytes() + bucket_of_.memory_bytes() + bucket_cells_.memory_bytes() +
                      places_.memory_bytes();
  for (const Buffer<Real>& column : x_) bytes += column.memory_bytes();
  for (const Worker& worker : workers_) bytes += worker.spare.memory_bytes() + worker.digits.memory_bytes();
  return bytes;
}

template class SortedPoints<2, float>;
template class SortedPoints<3, float>;
template class SortedPoints<2, double>;
template class SortedPoints<3, double>;

}  // namespace winnow
