// Least-significant-digit radix sort of records by a 32- or 64-bit key: stable, serial or parallel. Bits that
// are the same in all keys cost nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "winnow/buffer.hpp"
#include "winnow/executor.hpp"

namespace winnow {

// A key that sorts as the float does, as an unsigned number. -0 and +0 get the same key.
constexpr std::uint32_t float_key(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (bits == 0x80000000u) bits = 0;
  return bits ^ ((bits >> 31 != 0 ? 0xffffffffu : 0x80000000u));
}

// A key and whose it is.
template <class Key>
struct KeyedId {
  Key key;
  std::uint32_t id;
};

// Room that a sort needs beside its records; keep it from frame to frame.
template <class Record>
struct RadixScratch {
  Buffer<Record> records;
  Buffer<std::size_t> counts;

  std::size_t memory_bytes() const { return records.memory_bytes() + counts.memory_bytes(); }
};

namespace detail {

inline constexpr std::size_t kRadixGrain = 1 << 14;  // records worth another worker
inline constexpr std::size_t kRadixInsertion = 32;   // records sorted by insertion

// A digit of the key: `bits` bits from bit `shift` on.
struct RadixDigit {
  int shift;
  int bits;
  template <class Key>
  std::size_t of(Key key) const {
    return static_cast<std::size_t>(key >> shift) & ((std::size_t{1} << bits) - 1);
  }
};

template <class Record, class KeyOf>
void insertion_sort(std::span<Record> records, KeyOf key_of) {
  for (std::size_t i = 1; i < records.size(); ++i) {
    const Record record = records[i];
    std::size_t place = i;
    for (; place > 0 && key_of(record) < key_of(records[place - 1]); --place)
      records[place] = records[place - 1];
    records[place] = record;
  }
}

// Runs work(chunk, first, last) for each of `chunks` even parts of n records.
template <class Work>
void for_each_chunk(Executor& executor, std::size_t chunks, std::size_t n, Work work) {
  parallel_for(executor, chunks, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t chunk = begin; chunk < end; ++chunk)
      work(chunk, n / chunks * chunk + std::min(chunk, n % chunks),
           n / chunks * (chunk + 1) + std::min(chunk + 1, n % chunks));
  });
}

// The bits that are not the same in all keys.
template <class Record, class KeyOf>
auto varying_bits(std::span<const Record> records, KeyOf key_of) {
  const auto first = key_of(records[0]);
  auto varying = first ^ first;
  for (const Record& record : records) varying |= key_of(record) ^ first;
  return varying;
}

// One pass: records of `from` go to `to`, stably sorted by the digit. Each chunk counts its digits; the
// counts become the places where the chunk writes: digit by digit, and for one digit chunk by chunk.
template <class Record, class KeyOf>
void radix_pass(const Record* from, Record* to, std::size_t n, RadixDigit digit, std::size_t chunks,
                std::size_t* counts, Executor& executor, KeyOf key_of) {
  const std::size_t radix = std::size_t{1} << digit.bits;
  for_each_chunk(executor, chunks, n, [&](std::size_t chunk, std::size_t first, std::size_t last) {
    std::size_t* count = counts + chunk * radix;
    std::fill_n(count, radix, std::size_t{0});
    for (std::size_t i = first; i < last; ++i) ++count[digit.of(key_of(from[i]))];
  });
  std::size_t place = 0;
  for (std::size_t value = 0; value < radix; ++value)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
      place += std::exchange(counts[chunk * radix + value], place);
  for_each_chunk(executor, chunks, n, [&](std::size_t chunk, std::size_t first, std::size_t last) {
    std::size_t* next = counts + chunk * radix;
    for (std::size_t i = first; i < last; ++i) to[next[digit.of(key_of(from[i]))]++] = from[i];
  });
}

}  // namespace detail

// Sorts by key_of(record), rising; equal keys keep their order. Returns where the sorted records are: at
// `records` or at `scratch.records`.
template <class Record, class KeyOf>
Record* radix_sort(std::span<Record> records, RadixScratch<Record>& scratch, Executor& executor,
                   KeyOf key_of) {
  using namespace detail;
  using Key = decltype(key_of(records[0]));
  const std::size_t n = records.size();
  if (n <= kRadixInsertion) {
    insertion_sort(records, key_of);
    return records.data();
  }
  // Wide digits spare passes; their counters pay from a few thousand records on.
  const int bits = n < 4096 ? 8 : 11;
  const std::size_t chunks = std::clamp<std::size_t>(n / kRadixGrain, 1, executor.workers());
  scratch.records.resize_for_overwrite(n);
  scratch.counts.resize_for_overwrite(chunks << bits);

  Buffer<Key> varying_parts(chunks);
  for_each_chunk(executor, chunks, n, [&](std::size_t chunk, std::size_t first, std::size_t last) {
    // Against the first of all records, so that the parts agree on what is the same.
    varying_parts[chunk] =
        varying_bits(std::span<const Record>(records.subspan(first, last - first)), key_of) |
        (key_of(records[first]) ^ key_of(records[0]));
  });
  Key varying = 0;
  for (const Key part : varying_parts) varying |= part;

  Record* from = records.data();
  Record* to = scratch.records.data();
  while (varying != 0) {
    const RadixDigit digit{std::countr_zero(varying), bits};
    radix_pass(from, to, n, digit, chunks, scratch.counts.data(), executor, key_of);
    std::swap(from, to);
    const int done = digit.shift + bits;
    varying = done < static_cast<int>(8 * sizeof(Key)) ? static_cast<Key>(varying >> done << done) : Key{0};
  }
  return from;
}

// The same for a buffer, which then holds the sorted records.
template <class Record, class KeyOf>
void radix_sort(Buffer<Record>& records, RadixScratch<Record>& scratch, Executor& executor, KeyOf key_of) {
  const Record* sorted =
      radix_sort(std::span<Record>(records.data(), records.size()), scratch, executor, key_of);
  if (sorted != records.data()) records.swap(scratch.records);
}

template <class Key>
void radix_sort(Buffer<KeyedId<Key>>& records, RadixScratch<KeyedId<Key>>& scratch, Executor& executor) {
  radix_sort(records, scratch, executor, [](const KeyedId<Key>& record) { return record.key; });
}

}  // namespace winnow
