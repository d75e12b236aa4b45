// Reading and writing files so that errors are never lost: each one is a winnow::Error whose message begins
// with the file's name. A written file appears whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "winnow/buffer.hpp"
#include "winnow/error.hpp"

namespace winnow::io {

// "boxes.csv: what is wrong with it"
Error file_error(std::string_view name, std::string_view complaint);

// A file open for reading; "-" is standard input.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }  // for messages

  // Bytes in it, or nothing for a pipe.
  std::optional<std::uint64_t> size() const { return size_; }

  // Whether the bytes to be read next are these. They stay to be read.
  bool begins_with(std::string_view prefix);

  // Reads `count` bytes, or fewer only when the file ends; returns how many.
  std::size_t read(void* to, std::size_t count);

  // Continues `offset` bytes from the start. Not for pipes.
  void seek(std::uint64_t offset);

  // All that is left.
  Buffer<char> read_rest();

 private:
  std::string name_;
  int descriptor_;
  std::optional<std::uint64_t> size_;
  std::string ahead_;  // looked at by begins_with, not read yet
};

// Where bytes go. Unbuffered: hand over blocks of many kilobytes.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(const void* bytes, std::size_t count) = 0;
  void write(std::string_view text) { write(text.data(), text.size()); }

  // All is written. What was not committed does not count.
  virtual void commit() = 0;
};

class StandardOutput final : public Output {
 public:
  using Output::write;
  void write(const void* bytes, std::size_t count) override;
  void commit() override {}
};

// A file that appears under its name, whole and flushed to the disk, when commit() returns; without commit()
// nothing is left behind and a file of that name stays as it was.
class AtomicFile final : public Output {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  using Output::write;
  void write(const void* bytes, std::size_t count) override;

  // Overwrites what was written at `offset`: for headers that tell what is known only at the end.
  void write_at(std::uint64_t offset, std::string_view text);

  void commit() override;

 private:
  void open_temporary();

  std::string name_;       // as the caller wrote it
  std::string target_;     // with links resolved: a link stays one
  std::string temporary_;  // beside the target; empty while the file has no name
  int descriptor_ = -1;
};

}  // namespace winnow::io
