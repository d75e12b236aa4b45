// A parallel loop whose elements are taken one by one, in order.
#pragma once

#include <algorithm>
#include <atomic>

#include "winnow/executor.hpp"

namespace winnow {

// Calls body(i, worker) for all i < n; each i, in order, is for whoever is free. For few large pieces of
// work: an executor's own ranges may be so long that one worker is still busy when the others have ended.
template <class Body>
void parallel_for_dynamic(Executor& executor, std::size_t n, Body body) {
  std::atomic<std::size_t> next{0};
  parallel_for(executor, std::min(executor.workers(), n), 1,
               [&](std::size_t, std::size_t, std::size_t worker) {
                 for (std::size_t i; (i = next++) < n;) body(i, worker);
               });
}

}  // namespace winnow
