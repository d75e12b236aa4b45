// What commands show to people.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace winnow::cli {

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number);

// "1 box", "1,000 boxes"
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

// "3.21 ms", "12.4 s": three digits.
std::string duration(double seconds);

// Words filled into lines of `width` characters; every line but the first begins with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// The text in bold if standard output is a terminal that wants colours.
std::string bold(std::string_view text);

// Tells on a terminal what takes long: after two seconds a line on standard error with the phase and the
// seconds, which goes away at the end. Silent when standard error is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void phase(std::string name);
  void end();  // no line is left on the terminal

 private:
  void show();

  std::mutex mutex_;
  std::condition_variable ended_changed_;
  std::string phase_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace winnow::cli
