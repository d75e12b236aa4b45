// winnow scenes: what there is to run on.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "scene/scene.hpp"

namespace winnow::cli {
namespace {

nlohmann::json as_json(const scene::SceneInfo& info) {
  nlohmann::json options = nlohmann::json::array();
  for (const OptionInfo& option : info.options)
    options.push_back({{"name", option.name},
                       {"help", option.help},
                       {"unit", option.unit},
                       {"range", option.range},
                       {"default", option.default_value}});
  return {{"name", info.name},
          {"summary", info.summary},
          {"paper", info.paper},
          {"dim", info.dim},
          {"default_objects", info.default_objects},
          {"default_frames", info.default_frames},
          {"options", options}};
}

void print_scenes() {
  for (const scene::SceneInfo& info : scene::scenes()) {
    fmt::print("{:<18} {}D  {}\n", info.name, info.dim, info.summary);
    if (!info.paper.empty()) fmt::print("{:<18}     after {}\n", "", info.paper);
    for (const OptionInfo& option : info.options)
      fmt::print("{:<18}     --set {}={}  ({}): {}\n", "", option.name, option.default_value, option.range,
                 option.help);
  }
}

}  // namespace

void add_scenes_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("scenes", "list the scenes, their papers and their options");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON, for machines");
  command->callback([json] {
    if (!*json) return print_scenes();
    nlohmann::json list = nlohmann::json::array();
    for (const scene::SceneInfo& info : scene::scenes()) list.push_back(as_json(info));
    fmt::print("{}\n", list.dump(2));
  });
}

}  // namespace winnow::cli
