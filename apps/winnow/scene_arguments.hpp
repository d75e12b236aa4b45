// The arguments that name a scene, the same for every command that takes one.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "scene/scene.hpp"

namespace winnow::cli {

struct SceneArguments {
  std::string scene;
  std::size_t objects = 0, frames = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> settings;

  scene::SceneRequest request() const;
};

// SCENE, -n, --frames, --seed and --set.
void add_scene_arguments(CLI::App& command, SceneArguments& arguments);
void add_threads_option(CLI::App& command, std::size_t& threads);

// --set name=value, repeated.
Settings parse_settings(const std::vector<std::string>& texts);

}  // namespace winnow::cli
