// winnow methods: what there is to choose from.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "winnow/registry.hpp"

namespace winnow::cli {
namespace {

constexpr std::size_t kLineWidth = 79;  // of a line, so that a terminal of 80 does not wrap it

nlohmann::ordered_json as_json(const MethodEntry& entry) {
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const OptionInfo& option : entry.options)
    options.push_back({{"name", option.name},
                       {"help", option.help},
                       {"unit", option.unit},
                       {"range", option.range},
                       {"default", option.default_value}});
  return {{"name", entry.info.name},
          {"summary", entry.info.summary},
          {"paper", entry.info.paper},
          {"default", entry.info.name == default_method()},
          {"keeps_state", entry.info.keeps_state},
          {"by_candidates", entry.info.by_candidates},
          {"options", options}};
}

// "1 .. 65536 objects", "complete|adaptive"
std::string values_of(const OptionInfo& option) {
  const bool counted = !option.unit.empty() && option.unit != "1";
  return counted ? option.range + " " + option.unit : option.range;
}

// `text` beside `label`, wrapped in a column of its own.
void print_row(std::string_view label, std::string_view text) {
  constexpr std::size_t kIndent = 4, kColumn = 26;
  const std::size_t used = kIndent + label.size();
  const std::size_t gap = used < kColumn ? kColumn - used : 1;
  fmt::print("{:{}}{}{:{}}{}\n", "", kIndent, label, "", gap, wrapped(text, kLineWidth, kColumn));
}

void print_paragraph(std::string_view text) {
  constexpr std::size_t kIndent = 2;
  fmt::print("{:{}}{}\n", "", kIndent, wrapped(text, kLineWidth, kIndent));
}

void print_method(const MethodEntry& entry) {
  const MethodInfo& info = entry.info;
  fmt::print("{}{}\n", bold(info.name), info.name == default_method() ? "  (the default)" : "");
  print_paragraph(info.summary);
  if (!info.paper.empty()) print_paragraph("After " + info.paper + ".");
  if (info.keeps_state) print_paragraph("Remembers the last frame.");
  if (info.by_candidates) print_paragraph("Makes candidates first and tests them exactly.");
  for (const OptionInfo& option : entry.options)
    print_row(option.name + "=" + option.default_value,
              fmt::format("{} ({})", option.help, values_of(option)));
}

void print_table() {
  for (const MethodEntry& entry : methods()) {
    if (&entry != methods().data()) fmt::print("\n");
    print_method(entry);
  }
  fmt::print("\nUse one: winnow pairs FILE --method NAME --set OPTION=VALUE\n");
}

}  // namespace

void add_methods_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("methods", "list the methods, their papers and their options");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON, for machines");
  command->callback([json] {
    if (!*json) return print_table();
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const MethodEntry& entry : methods()) list.push_back(as_json(entry));
    fmt::print("{}\n", list.dump(2));
  });
}

}  // namespace winnow::cli
