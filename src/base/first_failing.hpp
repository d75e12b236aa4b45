// The first element that fails a test, found in parallel.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>

#include "winnow/executor.hpp"

namespace winnow {

// The least i < n for which good(i) is false. Meant for input that is nearly always good.
template <class Good>
std::optional<std::size_t> first_failing(std::size_t n, Executor& executor, Good good) {
  constexpr std::size_t kBlock = 4096;
  std::atomic<std::size_t> first{n};
  parallel_for(executor, n, kBlock, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t from = begin; from < end; from += kBlock) {
      const std::size_t to = std::min(end, from + kBlock);
      bool ok = true;  // one flag for the block: nearly always true, and no branch per element
      for (std::size_t i = from; i < to; ++i) ok &= good(i);
      if (ok) continue;
      std::size_t bad = from;
      while (good(bad)) ++bad;
      std::size_t known = first.load();
      while (bad < known && !first.compare_exchange_weak(known, bad)) {
      }
      return;
    }
  });
  return first == n ? std::nullopt : std::optional<std::size_t>(first);
}

}  // namespace winnow
