#include "winnow/executor.hpp"

#include <algorithm>
#include <thread>

#include "base/float_mode.hpp"
#include "exec/tbb_executor.hpp"
#include "winnow/error.hpp"

namespace winnow {

std::size_t hardware_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

std::unique_ptr<Executor> make_executor(std::size_t threads) {
  if (threads == 0) threads = kHasTbb ? hardware_threads() : 1;
  if (threads == 1) return std::make_unique<SerialExecutor>();
  if (threads > kMostThreads)
    throw Error("threads", "threads: at most " + std::to_string(kMostThreads) +
                               " (0 for all the hardware has), got " + std::to_string(threads));
  return make_tbb_executor(threads);
}

void parallel_for(Executor& executor, std::size_t n, std::size_t grain, LoopBody body) {
  if (n == 0) return;
  if (n <= grain || executor.workers() == 1) {
    const DefaultFloatMode mode;
    return body(0, n, 0);
  }
  executor.parallel_for(n, grain, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    const DefaultFloatMode mode;
    body(begin, end, worker);
  });
}

}  // namespace winnow
