// The figures in the documents are those of the recorded run, and the records are whole.
#include "bench/results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace winnow::bench {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<nlohmann::json> recorded() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(WINNOW_SOURCE) / "bench" / "results"))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::ranges::sort(files);
  return read_records(files);
}

TEST(RecordedRun, IsExactThroughout) {
  for (const nlohmann::json& record : recorded()) EXPECT_TRUE(record["exact"].get<bool>()) << record["name"];
}

TEST(RecordedRun, HasTheFieldsThatAreDocumented) {
  const std::string document = text_of(fs::path(WINNOW_SOURCE) / "docs" / "RESULTS.md");
  const nlohmann::json record = recorded().at(0);
  for (const auto& [field, value] : record.items())
    EXPECT_NE(document.find("`" + field + "`"), std::string::npos) << field;
}

TEST(RecordedRun, IsWhatTheReadmeShows) {
  EXPECT_NE(text_of(fs::path(WINNOW_SOURCE) / "README.md").find(headline_table(recorded())),
            std::string::npos)
      << "README.md should hold:\n"
      << headline_table(recorded());
}

TEST(RecordedRun, IsWhatTheResultsShow) {
  EXPECT_NE(text_of(fs::path(WINNOW_SOURCE) / "docs" / "RESULTS.md").find(full_table(recorded())),
            std::string::npos)
      << "docs/RESULTS.md should hold:\n"
      << full_table(recorded());
}

TEST(RecordedRun, NamesNoCommitWithChangesLeftOut) {
  for (const nlohmann::json& record : recorded())
    EXPECT_FALSE(record["machine"]["commit"].get<std::string>().ends_with("+")) << record["command"];
}

}  // namespace
}  // namespace winnow::bench
