// A folder of its own for a test, gone with the test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace winnow::tests {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(std::string_view name) const { return (path_ / name).string(); }
  std::string write(std::string_view name, std::string_view content) const;  // returns its path
  std::string read(std::string_view name) const;
  std::vector<std::string> names() const;  // of all files in it, sorted

 private:
  std::filesystem::path path_;
};

}  // namespace winnow::tests
