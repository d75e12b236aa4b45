#include "scene_arguments.hpp"

namespace winnow::cli {

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

void add_scene_arguments(CLI::App& command, SceneArguments& arguments, const char* what) {
  command.add_option(what, arguments.scene, "a scene's name (see winnow scenes) or a recording")->required();
  command.add_option("-n,--objects", arguments.objects, "objects; default: the scene's own")
      ->check(CLI::PositiveNumber);
  command.add_option("--frames", arguments.frames, "frames; default: the scene's own")
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", arguments.seed, "seed of the scene's random numbers; default: 1");
  command.add_option("--set", arguments.settings, "an option of the scene, name=value; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace winnow::cli
