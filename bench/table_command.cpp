// winnow-bench table: records as the tables of the documents.
#include <fmt/format.h>

#include "bench/commands.hpp"
#include "bench/results.hpp"

namespace winnow::bench {

void add_table_command(CLI::App& app) {
  struct Arguments {
    std::vector<std::string> files;
    bool all = false;
  };
  CLI::App* command = app.add_subcommand("table", "records as a table in Markdown");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->files, "records of compare --json")->required();
  command->add_flag("--all", arguments->all, "every contender, not only the fastest peer");
  command->callback([arguments] {
    const std::vector<nlohmann::json> records = read_records(arguments->files);
    fmt::print("{}", arguments->all ? full_table(records) : headline_table(records));
  });
}

}  // namespace winnow::bench
