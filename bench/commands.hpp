// The commands of winnow-bench, one file each. A caller's mistake is a winnow::Error or std::runtime_error
// and ends the program with one line and status 2.
#pragma once

#include <CLI/CLI.hpp>

namespace winnow::bench {

// `command_line` goes into the records.
void add_compare_command(CLI::App& app, const std::string& command_line);
void add_peers_command(CLI::App& app);
void add_peak_memory_command(CLI::App& app);
void add_peer_time_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);
void add_table_command(CLI::App& app);

}  // namespace winnow::bench
