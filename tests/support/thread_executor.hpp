// An executor as a caller may bring one: plain std::threads. Chunks are dealt out in a fixed way, so nothing
// but the begin and the end of a loop orders the workers, and the thread sanitizer sees every race.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "winnow/executor.hpp"

namespace winnow::test {

class ThreadExecutor final : public Executor {
 public:
  // The calling thread is worker 0. Each of the others first calls `prepare`.
  explicit ThreadExecutor(std::size_t workers, void (*prepare)() = nullptr) : workers_(workers) {
    for (std::size_t worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker, prepare] {
        if (prepare != nullptr) prepare();
        serve(worker);
      });
    }
  }
  ~ThreadExecutor() override {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    start_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t workers() const override { return workers_; }

  void parallel_for(std::size_t n, std::size_t grain, LoopBody body) override {
    Loop loop{n, grain == 0 ? 1 : grain, body};
    {
      const std::scoped_lock lock(mutex_);
      if (loop_ != nullptr) throw std::logic_error("a loop inside a loop: executors need not support it");
      loop_ = &loop;
      ++round_;
      busy_ = threads_.size();
      error_ = nullptr;
    }
    start_.notify_all();
    run(loop, 0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    loop_ = nullptr;
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Loop {
    std::size_t n;
    std::size_t grain;
    LoopBody body;
  };

  void serve(std::size_t worker) {
    for (std::size_t seen = 0;;) {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      Loop& loop = *loop_;
      lock.unlock();
      run(loop, worker);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  // Every workers_-th chunk, from the one that bears the worker's number.
  void run(Loop& loop, std::size_t worker) {
    try {
      const std::size_t chunks = (loop.n + loop.grain - 1) / loop.grain;
      for (std::size_t chunk = worker; chunk < chunks; chunk += workers_)
        loop.body(chunk * loop.grain, std::min(loop.n, (chunk + 1) * loop.grain), worker);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  const std::size_t workers_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  Loop* loop_ = nullptr;   // the loop that runs; guarded by mutex_, as all below
  std::size_t round_ = 0;  // loops begun
  std::size_t busy_ = 0;   // threads that have not ended their part
  std::exception_ptr error_;
  bool stop_ = false;
};

}  // namespace winnow::test
