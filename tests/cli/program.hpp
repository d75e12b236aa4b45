// Runs the program as a user does, in a folder of its own.
#pragma once

#include <string>

#include "cli/temporary_folder.hpp"

namespace winnow::tests {

struct Run {
  int status = -1;
  std::string out;
  std::string err;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Program {
 public:
  // The program with arguments as typed in a shell, in folder(); `input` comes on standard input.
  Run run(const std::string& arguments, const std::string& input = "") const {
    return shell("winnow " + arguments, input);
  }

  // A line of shell in which the program is called winnow.
  Run shell(const std::string& line, const std::string& input = "") const;

  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;   // where the program runs: the files a test makes and looks for
  TemporaryFolder streams_;  // what goes in and out
};

}  // namespace winnow::tests
