// A bar on the terminal for what takes more than two seconds; silent when the errors go to a file.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace winnow::cli {

class FrameProgress {
 public:
  explicit FrameProgress(std::string what);
  ~FrameProgress();
  FrameProgress(const FrameProgress&) = delete;
  FrameProgress& operator=(const FrameProgress&) = delete;

  void show(std::size_t frame, std::size_t frames);  // done so far, and in all

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool on_terminal_, shown_ = false;
  Clock::time_point start_, next_show_;
};

}  // namespace winnow::cli
