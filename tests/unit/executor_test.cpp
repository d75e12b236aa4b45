#include "winnow/executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <stdexcept>
#include <vector>

#include "support/thread_executor.hpp"
#include "winnow/error.hpp"

namespace winnow {
namespace {

using Executors = std::vector<std::unique_ptr<Executor>>;

// Serial, plain threads, and oneTBB if the library has it.
Executors all_executors() {
  Executors all;
  all.push_back(make_executor(1));
  all.push_back(std::make_unique<test::ThreadExecutor>(3));
  for (const std::size_t threads : {2, 8}) {
    try {
      all.push_back(make_executor(threads));
    } catch (const Error&) {
    }
  }
  return all;
}

TEST(Executors, CoverEveryIndexOnce) {
  for (const auto& executor : all_executors()) {
    for (const std::size_t n : {0, 1, 2, 7, 1000, 12'345}) {
      for (const std::size_t grain : {0, 1, 3, 100, 20'000}) {
        std::vector<std::atomic<int>> visits(n);
        parallel_for(*executor, n, grain, [&](std::size_t begin, std::size_t end, std::size_t) {
          EXPECT_LT(begin, end);
          for (std::size_t i = begin; i < end; ++i) ++visits[i];
        });
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_EQ(visits[i], 1) << i << " of " << n << ", grain " << grain;
      }
    }
  }
}

TEST(Executors, GiveCallsThatRunAtOnceDifferentWorkers) {
  for (const auto& executor : all_executors()) {
    std::vector<std::atomic<int>> busy(executor->workers());
    parallel_for(*executor, 2000, 1, [&](std::size_t, std::size_t, std::size_t worker) {
      ASSERT_LT(worker, busy.size());
      EXPECT_EQ(++busy[worker], 1);
      --busy[worker];
    });
  }
}

TEST(Executors, PassABodysExceptionOnAndStayUsable) {
  for (const auto& executor : all_executors()) {
    const auto throwing = [&] {
      parallel_for(*executor, 1000, 1, [](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
          if (i == 500) throw std::runtime_error("at 500");
      });
    };
    EXPECT_THROW(throwing(), std::runtime_error);
    std::atomic<std::size_t> sum{0};
    parallel_for(*executor, 1000, 1,
                 [&](std::size_t begin, std::size_t end, std::size_t) { sum += end - begin; });
    EXPECT_EQ(sum, 1000u);
  }
}

TEST(Executors, RunSmallLoopsOnTheCallersThread) {
  test::ThreadExecutor executor(4);
  const auto caller = std::this_thread::get_id();
  int calls = 0;
  parallel_for(executor, 64, 64, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    ++calls;
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(begin, 0u);
    EXPECT_EQ(end, 64u);
    EXPECT_EQ(worker, 0u);
  });
  EXPECT_EQ(calls, 1);
}

TEST(Executors, RunBodiesInTheDefaultFloatModeAndGiveTheCallersBack) {
  for (const auto& executor : all_executors()) {
    std::fesetround(FE_UPWARD);
    std::atomic<int> wrong{0};
    parallel_for(*executor, 100, 1, [&](std::size_t, std::size_t, std::size_t) {
      volatile float one = 1;
      if (one + 1e-10f != 1) ++wrong;
    });
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(after, FE_UPWARD);
  }
}

TEST(Executors, HaveTheWorkersAskedFor) {
  EXPECT_EQ(make_executor(1)->workers(), 1u);
  EXPECT_GE(make_executor(0)->workers(), 1u);
  EXPECT_LE(make_executor(0)->workers(), hardware_threads());
  for (const auto& executor : all_executors()) EXPECT_GE(executor->workers(), 1u);
}

TEST(Executors, RefuseTooManyThreads) {
  try {
    make_executor(100'000);
    FAIL() << "accepted 100000 threads";
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "threads");
    EXPECT_NE(std::string(error.what()).find("100000"), std::string::npos);
  }
}

}  // namespace
}  // namespace winnow
