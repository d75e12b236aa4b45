#include "scene_arguments.hpp"

namespace winnow::cli {
namespace {

// 16k becomes 16000; what is no count is refused.
const CLI::Validator& count() {
  static const CLI::Validator validator(
      [](std::string& text) {
        const auto number = scene::parse_count(text);
        if (!number) return "'" + text + "' is not a count such as 1000, 16k or 1M";
        text = std::to_string(*number);
        return std::string();
      },
      "");
  return validator;
}

}  // namespace

Settings parse_settings(const std::vector<std::string>& texts) {
  Settings settings;
  for (const std::string& text : texts) settings.push_back(parse_setting(text));
  return settings;
}

scene::SceneRequest SceneArguments::request() const {
  return {.scene = scene,
          .objects = objects,
          .frames = frames,
          .seed = seed,
          .settings = parse_settings(settings)};
}

void add_scene_arguments(CLI::App& command, SceneArguments& arguments) {
  command.add_option("SCENE", arguments.scene, "a name of winnow scenes, or a recording")
      ->required()
      ->option_text(" ");
  command.add_option("-n,--objects", arguments.objects, "how many [the scene's own]")
      ->transform(count())
      ->option_text("NUMBER");
  command.add_option("--frames", arguments.frames, "how many [the scene's own]")
      ->transform(count())
      ->option_text("NUMBER");
  command.add_option("--seed", arguments.seed, "of the scene's random numbers [1]")->option_text("NUMBER");
  command.add_option("--set", arguments.settings, "an option of the scene; may be repeated")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_threads_option(CLI::App& command, std::size_t& threads) {
  command.add_option("-t,--threads", threads, "how many; 0: all the machine has [1]")
      ->check(CLI::Range(std::size_t{0}, kMostThreads))
      ->option_text("NUMBER");
}

}  // namespace winnow::cli
