// winnow: the command line.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include "commands.hpp"
#include "winnow/error.hpp"
#include "winnow/version.hpp"

namespace {

constexpr const char* kExamples = R"(Examples:
  winnow pairs boxes.csv                   every overlapping pair, one a line
  winnow pairs boxes.npy --out pairs.npy   the same with NumPy files
  winnow methods                           what there is to choose from
  winnow pairs --help                      more, with examples)";

// What was called, to stand before a message: "winnow pairs".
std::string called(const CLI::App& app) {
  std::string line = "winnow";
  for (const CLI::App* command : app.get_subcommands()) line += " " + command->get_name();
  return line;
}

// CLI11 would only say that a command is required.
void require_command(const CLI::App& app, std::string_view name) {
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw winnow::Error("command", fmt::format("there is no command '{}'; there are {}", name, known));
}

// All that was printed has left the program. A full disk may tell only now.
void flush_standard_output() {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw winnow::Error("standard output",
                      "standard output: cannot be written: " + std::generic_category().message(errno));
}

int run(int argc, char** argv) {
  CLI::App app("winnow finds every pair of overlapping boxes.", "winnow");
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", std::string("winnow ") + winnow::kVersion, "show the version");
  app.require_subcommand(1);
  app.get_formatter()->column_width(26);
  winnow::cli::add_pairs_command(app);
  winnow::cli::add_neighbours_command(app);
  winnow::cli::add_methods_command(app);
  winnow::cli::add_scenes_command(app);
  winnow::cli::add_generate_command(app);
  winnow::cli::add_info_command(app);
  winnow::cli::add_draw_command(app);
  winnow::cli::add_verify_command(app);
  winnow::cli::add_run_command(app);
  winnow::cli::add_completion_command(app);
  app.footer(kExamples);  // after the commands, or they would show it too

  if (argc < 2) {
    fmt::print(stderr, "{}", app.help());
    return 2;
  }
  try {
    if (argv[1][0] != '-') require_command(app, argv[1]);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    fmt::print(stderr, "{0}: {1} ({0} --help shows how)\n", called(app), error.what());
    return 2;
  } catch (const winnow::cli::CheckFailed&) {
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    flush_standard_output();
    return status;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "winnow: there is not enough memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "winnow: {}\n", error.what());
  }
  return 2;
}
