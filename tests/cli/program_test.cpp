// The program as a whole: help, version, lists, mistakes on the command line, completion.
#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "winnow/registry.hpp"
#include "winnow/version.hpp"

namespace winnow {
namespace {

using tests::contains;

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Program, SaysWhenItsOutputIsLost) {
  for (const char* const line :
       {"--help", "--version", "methods", "methods --json", "scenes", "completion bash",
        "run row -n 9 --frames 2", "info row -n 9 --frames 2", "verify row -n 9 --frames 2"}) {
    const tests::Run result = tests::Program().shell(std::string("winnow ") + line + " >/dev/full");
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_TRUE(contains(result.err, "No space left on device")) << line << ": " << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << line << ": " << result.err;
  }
}

TEST(Program, TellsItsVersion) {
  const tests::Run result = tests::Program().run("--version");
  EXPECT_EQ(result.out, std::string("winnow ") + kVersion + "\n");
  EXPECT_EQ(result.status, 0);
}

TEST(Program, HelpTeachesByExampleAndFitsATerminal) {
  const tests::Program program;
  for (const char* arguments : {"--help", "pairs --help", "completion --help"}) {
    const tests::Run result = program.run(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_TRUE(contains(result.out, "Examples:")) << result.out;
    EXPECT_LE(longest_line(result.out), 80u) << result.out;
  }
}

TEST(Program, WithoutACommandItShowsItsHelpAndFails) {
  const tests::Run result = tests::Program().run("");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "Examples:"));
  EXPECT_EQ(result.out, "");
}

TEST(Program, MistakesAreAnsweredWithWhatWouldBeRight) {
  const tests::Program program;
  program.folder().write("a.csv", "0,0,1,1\n");
  const std::pair<const char*, const char*> cases[] = {
      {"pears a.csv", "there is no command 'pears'; there are pairs, neighbours, methods"},
      {"pairs", "FILE is required"},
      {"pairs a.csv --fast", "--fast"},
      {"pairs a.csv --method quick", "there is no 'quick'; there are brute_force"},
      {"pairs a.csv --set speed", "'speed' is not a setting; write name=value"},
      {"pairs a.csv --method brute_force --set speed=1", "'speed' is not an option here; there are none"},
      {"pairs a.csv --threads many", "--threads: Value many not in range 0 to 1024"},
      {"pairs a.csv --threads -1", "--threads: Value -1 not in range 0 to 1024"},
      {"pairs a.csv --threads 1025", "--threads: Value 1025 not in range 0 to 1024"},
      {"pairs a.csv --simd mmx", "'mmx' is not a level of this machine; it has scalar"},
      {"pairs a.csv --out pairs.txt", "pairs.txt: pairs go to a file that ends in .csv or .npy"},
      {"pairs a.csv --out none/pairs.csv", "none/pairs.csv: cannot be written: No such file or directory"},
      {"completion tcsh", "tcsh"},
  };
  for (const auto& [arguments, message] : cases) {
    const tests::Run result = program.run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_TRUE(contains(result.err, message)) << arguments << "\n" << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << "one line: " << result.err;
  }
  EXPECT_EQ(program.folder().names(), std::vector<std::string>{"a.csv"});
}

TEST(Program, ListsEveryMethodWithItsPaperAndOptions) {
  const tests::Run result = tests::Program().run("methods");
  EXPECT_LE(longest_line(result.out), 80u) << result.out;
  const auto json = nlohmann::json::parse(tests::Program().run("methods --json").out);
  ASSERT_EQ(json.size(), methods().size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const MethodEntry& entry = methods()[i];
    EXPECT_TRUE(contains("\n" + result.out, "\n" + entry.info.name)) << entry.info.name;
    EXPECT_EQ(json[i]["name"], entry.info.name);
    EXPECT_EQ(json[i]["paper"], entry.info.paper);
    EXPECT_EQ(json[i]["default"], entry.info.name == default_method());
    ASSERT_EQ(json[i]["options"].size(), entry.options.size());
    for (const OptionInfo& option : entry.options)
      EXPECT_TRUE(contains(result.out, "    " + option.name + "=" + option.default_value + " "))
          << option.name;
  }
}

TEST(Completion, BashCompletesCommandsOptionsAndMethods) {
  const tests::Program program;
  if (program.shell("command -v bash").status != 0) GTEST_SKIP() << "there is no bash";
  ASSERT_EQ(program.run("completion bash > completion.bash").status, 0);
  const auto completed = [&](const std::string& words) {
    const std::string script = ". ./completion.bash; COMP_WORDS=(" + words +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _winnow; echo \"${COMPREPLY[*]}\"";
    return program.shell("bash -c '" + script + "'").out;
  };
  EXPECT_EQ(completed("winnow pai"), "pairs\n");
  EXPECT_EQ(completed("winnow pairs --can"), "--canonical\n");
  EXPECT_EQ(completed("winnow pairs --method brute"), "brute_force\n");
  EXPECT_EQ(completed("winnow completion z"), "zsh\n");
}

TEST(Completion, ZshAndFishGetScriptsToo) {
  const tests::Program program;
  EXPECT_TRUE(contains(program.run("completion zsh").out, "bashcompinit"));
  EXPECT_TRUE(contains(program.run("completion fish").out, "-l canonical"));
}

}  // namespace
}  // namespace winnow
