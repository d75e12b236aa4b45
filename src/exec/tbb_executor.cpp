// The only file that names oneTBB.
#include "exec/tbb_executor.hpp"

#include <optional>

#include "winnow/error.hpp"

#ifdef WINNOW_HAS_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace winnow {

#ifdef WINNOW_HAS_TBB
namespace {

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(std::size_t threads) : arena_(static_cast<int>(threads)), threads_(threads) {
    // oneTBB starts no more threads than the hardware has unless told to; who asks for more gets them.
    if (static_cast<int>(threads) > tbb::info::default_concurrency())
      more_.emplace(tbb::global_control::max_allowed_parallelism, threads);
  }

  std::size_t workers() const override { return threads_; }

  void parallel_for(std::size_t n, std::size_t grain, LoopBody body) override {
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain == 0 ? 1 : grain),
                        [&](const tbb::blocked_range<std::size_t>& range) {
                          body(range.begin(), range.end(),
                               static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()));
                        });
    });
  }

 private:
  std::optional<tbb::global_control> more_;
  tbb::task_arena arena_;
  std::size_t threads_;
};

}  // namespace

std::unique_ptr<Executor> make_tbb_executor(std::size_t threads) {
  return std::make_unique<TbbExecutor>(threads);
}
#else
std::unique_ptr<Executor> make_tbb_executor(std::size_t threads) {
  throw Error("threads",
              "threads: " + std::to_string(threads) +
                  " need oneTBB, and this library was built without it; use 1 or an executor of your own");
}
#endif

}  // namespace winnow
