#include "frame_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace winnow::cli {
namespace {

constexpr auto kQuiet = std::chrono::seconds(2);
constexpr auto kBetween = std::chrono::milliseconds(100);

}  // namespace

FrameProgress::FrameProgress(std::string what)
    : what_(std::move(what)),
      on_terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_show_(start_ + kQuiet) {}

FrameProgress::~FrameProgress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void FrameProgress::show(std::size_t frame, std::size_t frames) {
  if (!on_terminal_ || Clock::now() < next_show_) return;
  next_show_ = Clock::now() + kBetween;
  shown_ = true;
  constexpr std::size_t kWidth = 40;
  const std::size_t filled = frame * kWidth / frames;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = seconds * static_cast<double>(frames - frame) / static_cast<double>(frame);
  fmt::print(stderr, "\r\033[K{} [{}{}] {}/{} frames, {:.0f} s left", what_, std::string(filled, '#'),
             std::string(kWidth - filled, ' '), frame, frames, left);
  std::fflush(stderr);
}

}  // namespace winnow::cli
