// README.md and docs/*.md against the program they describe.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "winnow/registry.hpp"

namespace winnow::test {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = WINNOW_SOURCE;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> all = {kSource / "README.md", kSource / "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  return all;
}

std::string output_of(const char* program) {
  std::string output;
  FILE* const pipe = ::popen(program, "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << program;
  return output;
}

TEST(Readme, ShowsTheExamplesThatAreBuiltHere) {
  const std::string readme = text_of(kSource / "README.md");
  for (const char* name : {"first_pairs.cpp", "frames.cpp"})
    EXPECT_TRUE(contains(readme, "```cpp\n" + text_of(kSource / "examples" / name) + "```\n"))
        << name << " is not in README.md as it is in examples/";
}

TEST(Readme, TheExamplesDoWhatItSays) {
  EXPECT_EQ(output_of(FIRST_PAIRS), "0,1\n");
  EXPECT_EQ(output_of(FRAMES), "frame 0: 0 pairs\nframe 1: 0 pairs\nframe 2: 1 pairs\nframe 3: 1 pairs\n");
}

TEST(Readme, ListsEveryMethodAndLinksItsPage) {
  const std::string readme = text_of(kSource / "README.md");
  for (const MethodEntry& entry : methods()) {
    const std::string& name = entry.info.name;
    EXPECT_TRUE(contains(readme, "| [`" + name + "`](docs/methods/" + name + ".md) |"))
        << name << " has no line in the table of methods";
    EXPECT_TRUE(fs::exists(kSource / "docs" / "methods" / (name + ".md"))) << name << " has no page";
  }
}

TEST(AddAMethod, ShowsTheMethodThatIsBuiltHere) {
  const std::string document = text_of(kSource / "docs" / "ADD_A_METHOD.md");
  for (const char* name : {"tiny_sweep.hpp", "tiny_sweep.cpp"})
    EXPECT_TRUE(
        contains(document, "```cpp\n" + text_of(kSource / "examples" / "add_a_method" / name) + "```\n"))
        << name << " is not in docs/ADD_A_METHOD.md as it is in examples/";
}

TEST(Documents, LinkOnlyToFilesThatExist) {
  const std::regex link(R"(\]\(([^)#:\s]+)(#[^)]*)?\))");
  std::size_t links = 0;
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document);
    ASSERT_FALSE(text.empty()) << document;
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match, ++links)
      EXPECT_TRUE(fs::exists(document.parent_path() / (*match)[1].str()))
          << document << " links to " << (*match)[1].str();
  }
  EXPECT_GT(links, 10u);
}

}  // namespace
}  // namespace winnow::test
