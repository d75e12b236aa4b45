// A comparison: scenes x sizes x thread counts, each a race; its records and its table.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/race.hpp"
#include "scene/scene.hpp"

namespace winnow::bench {

// What one race runs on.
struct RaceSetup {
  scene::SceneRequest scene;
  std::size_t skip = 0;  // frames of the scene to leave out at the start
  RaceOptions race;
};

// "brownian:shapes=assorted" -> the scene and its options.
scene::SceneRequest parse_scene(const std::string& text);

// Frames of the scene after the first `skip`. Two-dimensional scenes become flat boxes.
SceneOpener opener(const RaceSetup& setup);

// One record per contender: docs/RESULTS.md describes them. `peaks` are in the order of the results, or
// none; `command` is what a reader types to get the same records.
std::vector<nlohmann::json> records(const RaceSetup& setup, const RaceReport& report,
                                    const std::vector<std::size_t>& peaks, const std::string& baseline,
                                    const std::string& command);

// The records of one race, for people.
void print_records(const std::vector<nlohmann::json>& records);

}  // namespace winnow::bench
