// winnow-bench: the methods against each other, against other libraries, and against their papers' tables.
#include <cstdio>
#include <exception>

#include "bench/commands.hpp"
#include "winnow/version.hpp"

namespace {

// What was typed, the program by its name alone.
std::string command_line(int argc, char** argv) {
  std::string line = "winnow-bench";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("winnow-bench measures what Winnow claims.");
  app.set_version_flag("--version", std::string("winnow-bench ") + winnow::kVersion);
  app.require_subcommand(1);
  winnow::bench::add_compare_command(app, command_line(argc, argv));
  winnow::bench::add_peers_command(app);
  winnow::bench::add_peak_memory_command(app);
  winnow::bench::add_peer_time_command(app);
  winnow::bench::add_report_command(app);
  winnow::bench::add_table_command(app);
  winnow::bench::add_reproduce_command(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow-bench: %s\n", error.what());
    return 2;
  }
  return 0;
}
