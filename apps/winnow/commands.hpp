// The commands of the program, one file each. A command adds itself to the app and runs from its callback; a
// caller's mistake is a winnow::Error (or std::runtime_error) and ends the program with one line and
// status 2.
#pragma once

#include <CLI/CLI.hpp>

namespace winnow::cli {

// What was to be checked is not so, and the command has said why: ends the program with status 1.
struct CheckFailed {};

void add_pairs_command(CLI::App& app);
void add_neighbours_command(CLI::App& app);
void add_methods_command(CLI::App& app);
void add_scenes_command(CLI::App& app);
void add_generate_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_draw_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_completion_command(CLI::App& app);

}  // namespace winnow::cli
