#include "io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace winnow::io {
namespace {

// Why the last system call failed, in words.
std::string reason() { return std::generic_category().message(errno); }

[[noreturn]] void fail(const std::string& name, std::string_view what) {
  throw file_error(name, std::string(what) + ": " + reason());
}

// Linux moves at most 2 GiB in one call.
constexpr std::size_t kMostPerCall = std::size_t{1} << 30;

void write_all(int descriptor, const std::string& name, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t done = ::write(descriptor, bytes, std::min(count, kMostPerCall));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(name, "cannot be written");
    bytes += done;
    count -= static_cast<std::size_t>(done);
  }
}

std::string directory_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// The file a link points to, so that the link survives the rename; the path itself if there is none yet.
std::string resolved(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::canonical(path, ignored);
  return ignored ? path : target.string();
}

// Tries names beside `target` until `create(name)` makes a file that was not there; returns the name, or
// nothing when it fails for another reason.
template <class Create>
std::string created_beside(const std::string& target, Create create) {
  for (unsigned attempt = 0;; ++attempt) {
    const std::string path =
        target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
    if (create(path.c_str())) return path;
    if (errno != EEXIST) return {};
  }
}

}  // namespace

Error file_error(std::string_view name, std::string_view complaint) {
  return Error("file", std::string(name) + ": " + std::string(complaint));
}

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(name_, "cannot be opened");
  struct stat status;
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  if (known && S_ISDIR(status.st_mode)) {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
    throw file_error(name_, "is a directory, not a file");
  }
}

InputFile::~InputFile() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

bool InputFile::begins_with(std::string_view prefix) {
  std::string start(prefix.size(), '\0');
  start.resize(read(start.data(), start.size()));
  ahead_ = start + ahead_;
  return start == prefix;
}

std::size_t InputFile::read(void* to, std::size_t count) {
  char* const bytes = static_cast<char*>(to);
  std::size_t done = ahead_.copy(bytes, count);
  ahead_.erase(0, done);
  while (done < count) {
    const ssize_t got = ::read(descriptor_, bytes + done, std::min(count - done, kMostPerCall));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, "cannot be read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void InputFile::seek(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) fail(name_, "cannot be positioned");
  ahead_.clear();
}

Buffer<char> InputFile::read_rest() {
  constexpr std::size_t kFirst = std::size_t{1} << 20;
  Buffer<char> bytes;
  std::size_t used = 0;
  for (std::size_t room = size_ ? *size_ + 1 : kFirst;; room = 2 * used) {
    bytes.resize(room);
    used += read(bytes.data() + used, room - used);
    if (used < room) break;
  }
  bytes.resize(used);
  return bytes;
}

void StandardOutput::write(const void* bytes, std::size_t count) {
  write_all(STDOUT_FILENO, "standard output", static_cast<const char*>(bytes), count);
}

AtomicFile::AtomicFile(const std::string& path) : name_(path), target_(resolved(path)) {
  struct stat status;
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode))
    throw file_error(name_, S_ISDIR(status.st_mode) ? "is a directory, not a file" : "is not a regular file");
  open_temporary();
  if (exists) ::fchmod(descriptor_, status.st_mode & 0777);  // a replaced file keeps its permissions
}

// A file without a name vanishes even when the program is killed; file systems that have none of those get a
// hidden name in the same directory.
void AtomicFile::open_temporary() {
  constexpr int kMode = 0666;  // less the caller's umask
#ifdef O_TMPFILE
  descriptor_ = ::open(directory_of(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
  if (descriptor_ >= 0 && ::access("/proc/self/fd", F_OK) == 0) return;
  if (descriptor_ >= 0) ::close(descriptor_);
#endif
  temporary_ = created_beside(target_, [&](const char* path) {
    descriptor_ = ::open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode);
    return descriptor_ >= 0;
  });
  if (temporary_.empty()) fail(name_, "cannot be written");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  write_all(descriptor_, name_, static_cast<const char*>(bytes), count);
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view text) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) fail(name_, "cannot be positioned");
  write(text.data(), text.size());
  if (::lseek(descriptor_, 0, SEEK_END) < 0) fail(name_, "cannot be positioned");
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail(name_, "cannot be written");
  if (temporary_.empty()) {
    const std::string unnamed = "/proc/self/fd/" + std::to_string(descriptor_);
    temporary_ = created_beside(target_, [&](const char* path) {
      return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
    });
    if (temporary_.empty()) fail(name_, "cannot be written");
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(name_, "cannot be written");
  temporary_.clear();
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(name_, "cannot be written");
}

}  // namespace winnow::io
