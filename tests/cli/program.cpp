#include "cli/program.hpp"

#include <sys/wait.h>

#include <cstdlib>

namespace winnow::tests {

Run Program::shell(const std::string& line, const std::string& input) const {
  const std::string in = streams_.write("in", input);
  const std::string whole = "winnow() { '" WINNOW_PROGRAM "' \"$@\"; }; cd '" + folder_.path("") + "'; { " +
                            line + "\n} <'" + in + "' >'" + streams_.path("out") + "' 2>'" +
                            streams_.path("err") + "'";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, streams_.read("out"), streams_.read("err")};
}

}  // namespace winnow::tests
