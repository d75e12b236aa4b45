// A comparison: scenes x sizes x thread counts, each a race; its records and its table.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/race.hpp"
#include "scene/scene.hpp"

namespace winnow::bench {

// One race of a comparison.
struct Heat {
  scene::SceneRequest scene;
  std::size_t skip = 0;  // frames of the scene that nobody sees
  RaceOptions race;
};

// "brownian:shapes=assorted" -> the scene and its options.
scene::SceneRequest parse_scene(const std::string& text);

// Frames from the heat's scene, the first `skip` left out. Two-dimensional scenes become flat boxes.
SceneOpener opener(const Heat& heat);

// The most resident memory a candidate adds while it works on two frames, in a process of its own; 0 when
// that process fails.
std::size_t peak_memory(const CandidateInfo& info, const Heat& heat);

// One record per candidate: docs/RESULTS.md describes them. `peaks` are in the order of the results, or
// none; `command` is what a reader types to get the same records.
std::vector<nlohmann::json> records(const Heat& heat, const RaceReport& report,
                                    const std::vector<std::size_t>& peaks, const std::string& baseline,
                                    const std::string& command);

// The records of one race, for people.
void print_heat(const std::vector<nlohmann::json>& records);

}  // namespace winnow::bench
