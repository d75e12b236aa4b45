// winnow methods: what there is to choose from.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "winnow/registry.hpp"

namespace winnow::cli {
namespace {

nlohmann::json as_json(const MethodEntry& entry) {
  nlohmann::json options = nlohmann::json::array();
  for (const OptionInfo& option : entry.options)
    options.push_back({{"name", option.name},
                       {"help", option.help},
                       {"unit", option.unit},
                       {"range", option.range},
                       {"default", option.default_value}});
  return {{"name", entry.info.name},
          {"summary", entry.info.summary},
          {"paper", entry.info.paper},
          {"keeps_state", entry.info.keeps_state},
          {"by_candidates", entry.info.by_candidates},
          {"options", options}};
}

void print_table() {
  for (const MethodEntry& entry : methods()) {
    fmt::print("{:<18} {}\n", entry.info.name, entry.info.summary);
    if (!entry.info.paper.empty()) fmt::print("{:<18} after {}\n", "", entry.info.paper);
    for (const OptionInfo& option : entry.options)
      fmt::print("{:<18}   {}={}  {} {}: {}\n", "", option.name, option.default_value, option.range,
                 option.unit, option.help);
  }
}

}  // namespace

void add_methods_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("methods", "list the methods, their papers and their options");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON, for machines");
  command->callback([json] {
    if (!*json) return print_table();
    nlohmann::json list = nlohmann::json::array();
    for (const MethodEntry& entry : methods()) list.push_back(as_json(entry));
    fmt::print("{}\n", list.dump(2));
  });
}

}  // namespace winnow::cli
