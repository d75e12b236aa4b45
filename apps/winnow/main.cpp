// winnow: the command line.
#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "winnow/version.hpp"

int main(int argc, char** argv) {
  CLI::App app("winnow finds every pair of overlapping boxes.");
  app.set_version_flag("--version", std::string("winnow ") + winnow::kVersion);
  app.require_subcommand(1);
  winnow::cli::add_methods_command(app);
  winnow::cli::add_scenes_command(app);
  winnow::cli::add_run_command(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow: %s\n", error.what());
    return 2;
  }
  return 0;
}
