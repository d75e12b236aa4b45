// Runs a method over a scene, frame by frame, and takes the time of its two phases.
#pragma once

#include <functional>

#include "record/run_record.hpp"
#include "scene/scene.hpp"

namespace winnow::record {

struct MeasureRequest {
  scene::SceneRequest scene;
  std::string method;
  Settings settings;  // the method's
  std::size_t threads = 1;
  std::function<void(std::size_t frame, std::size_t frames)> progress;  // after each frame; may be empty
};

// Times include writing the pairs, not making the scene's frames nor digesting the pairs.
RunRecord measure(const MeasureRequest& request);

}  // namespace winnow::record
