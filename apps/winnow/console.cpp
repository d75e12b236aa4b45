#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace winnow::cli {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

std::string duration(double seconds) {
  if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used > indent && used + 1 + word.size() > width) {
      lines += '\n';
      lines.append(indent, ' ');
      used = indent;
    } else if (used > indent) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += word.size();
  }
  return lines;
}

std::string bold(std::string_view text) {
  static const bool wanted = ::isatty(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
  return wanted ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

Progress::Progress() {
  if (::isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() { end(); }

void Progress::phase(std::string name) {
  const std::lock_guard lock(mutex_);
  phase_ = std::move(name);
}

void Progress::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::show() {
  using namespace std::chrono;
  constexpr auto kPatience = seconds(2);
  const auto begin = steady_clock::now();
  std::unique_lock lock(mutex_);
  bool shown = false;
  while (!ended_changed_.wait_for(lock, shown ? milliseconds(250) : milliseconds(kPatience),
                                  [this] { return ended_; })) {
    fmt::print(stderr, "\r\033[K{} ... {:.0f} s", phase_,
               std::chrono::duration<double>(steady_clock::now() - begin).count());
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace winnow::cli
