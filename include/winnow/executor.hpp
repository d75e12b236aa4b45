// How work runs: serial, on oneTBB, or on the caller's own threads.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace winnow {

// What each worker writes to starts at a multiple of this, so that no two workers write to one cache line.
inline constexpr std::size_t kCacheLine = 64;

// Body of a parallel loop, borrowed for the length of the call: body(begin, end, worker).
class LoopBody {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, LoopBody>) LoopBody(F&& body)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(body)))),
        call_([](void* object, std::size_t begin, std::size_t end, std::size_t worker) {
          (*static_cast<std::remove_reference_t<F>*>(object))(begin, end, worker);
        }) {}

  void operator()(std::size_t begin, std::size_t end, std::size_t worker) const {
    call_(object_, begin, end, worker);
  }

 private:
  void* object_;
  void (*call_)(void*, std::size_t, std::size_t, std::size_t);
};

class Executor {
 public:
  virtual ~Executor() = default;

  // How many calls of a body may run at once; worker numbers are below it.
  virtual std::size_t workers() const = 0;

  // Calls body(begin, end, worker) so that the ranges cover [0, n) once, and returns when all are done.
  // Ranges hold about `grain` elements or more. Calls that run at the same time have different workers. An
  // exception of a body reaches the caller, after the other calls have ended.
  virtual void parallel_for(std::size_t n, std::size_t grain, LoopBody body) = 0;
};

class SerialExecutor final : public Executor {
 public:
  std::size_t workers() const override { return 1; }
  void parallel_for(std::size_t n, std::size_t, LoopBody body) override {
    if (n != 0) body(0, n, 0);
  }
};

inline constexpr std::size_t kMostThreads = 1024;

// The executor for a number of threads: serial for 1, oneTBB for more, 0 means one thread per hardware
// thread. Throws Error for more than kMostThreads, and for more than one if the library was built without
// oneTBB.
std::unique_ptr<Executor> make_executor(std::size_t threads);

// Threads the hardware runs at once, at least 1.
std::size_t hardware_threads();

// What methods call: runs small loops (n <= grain) at once on this thread as worker 0, and every body with
// the default floating-point mode, so that results do not depend on the caller's rounding or flush-to-zero.
void parallel_for(Executor& executor, std::size_t n, std::size_t grain, LoopBody body);

}  // namespace winnow
