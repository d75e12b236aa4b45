#include "io/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/temporary_folder.hpp"

namespace winnow::io {
namespace {

using Names = std::vector<std::string>;

TEST(AtomicFile, AppearsWholeWhenCommitted) {
  const tests::TemporaryFolder folder;
  AtomicFile file(folder.path("a.csv"));
  file.write("1,2\n");
  file.write("3,4\n");
  EXPECT_EQ(folder.names(), Names{}) << "before commit there is no such file";
  file.commit();
  EXPECT_EQ(folder.names(), Names{"a.csv"});
  EXPECT_EQ(folder.read("a.csv"), "1,2\n3,4\n");
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const tests::TemporaryFolder folder;
  { AtomicFile(folder.path("a.csv")).write("1,2\n"); }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(AtomicFile, LeavesTheOldFileAsItWasWithoutCommit) {
  const tests::TemporaryFolder folder;
  folder.write("a.csv", "old");
  { AtomicFile(folder.path("a.csv")).write("new"); }
  EXPECT_EQ(folder.read("a.csv"), "old");
}

TEST(AtomicFile, ReplacesTheOldFileAndKeepsItsPermissions) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  AtomicFile file(path);
  file.write("new");
  file.commit();
  EXPECT_EQ(folder.read("a.csv"), "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(folder.names(), Names{"a.csv"});
}

TEST(AtomicFile, WritesThroughALinkAndKeepsTheLink) {
  const tests::TemporaryFolder folder;
  folder.write("real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder.path("link.csv"));
  AtomicFile file(folder.path("link.csv"));
  file.write("new");
  file.commit();
  EXPECT_EQ(folder.read("real.csv"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.csv")));
}

TEST(AtomicFile, RewritesItsHeader) {
  const tests::TemporaryFolder folder;
  AtomicFile file(folder.path("a.csv"));
  file.write("xxxx,body");
  file.write_at(0, "head");
  file.write(",tail");
  file.commit();
  EXPECT_EQ(folder.read("a.csv"), "head,body,tail");
}

TEST(AtomicFile, RefusesWhatCannotBeReplaced) {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("folder.csv"));
  ASSERT_EQ(::mkfifo(folder.path("pipe.csv").c_str(), 0600), 0);
  EXPECT_THROW(AtomicFile(folder.path("folder.csv")), Error);
  EXPECT_THROW(AtomicFile(folder.path("pipe.csv")), Error);
  EXPECT_THROW(AtomicFile(folder.path("missing/a.csv")), Error);
  EXPECT_THROW(AtomicFile("/dev/full"), Error);
}

TEST(InputFile, ReadsInPiecesAndAsAWhole) {
  const tests::TemporaryFolder folder;
  InputFile file(folder.write("a.txt", "0123456789"));
  EXPECT_EQ(file.size(), 10u);
  char piece[4];
  EXPECT_EQ(file.read(piece, 4), 4u);
  EXPECT_EQ(std::string(piece, 4), "0123");
  const Buffer<char> rest = file.read_rest();
  EXPECT_EQ(std::string(rest.begin(), rest.end()), "456789");
  EXPECT_EQ(file.read(piece, 4), 0u);
  file.seek(8);
  EXPECT_EQ(file.read(piece, 4), 2u);
}

TEST(InputFile, NamesTheFileItCannotOpen) {
  const tests::TemporaryFolder folder;
  try {
    InputFile file(folder.path("missing.csv"));
    FAIL() << "a missing file was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), folder.path("missing.csv") + ": cannot be opened: No such file or directory");
  }
  EXPECT_THROW(InputFile(folder.path("")), Error) << "a directory";
}

}  // namespace
}  // namespace winnow::io
