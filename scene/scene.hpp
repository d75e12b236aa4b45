// A scene is a stream of frames of boxes, made on the fly from a name, a number of objects, a seed and
// options, or read from a recording. The same request gives bit-identical frames, whatever the number of
// threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "winnow/bodies.hpp"
#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"
#include "winnow/option.hpp"

namespace winnow::scene {

struct SceneRequest {
  std::string scene;        // a name from scenes(), or the path of a recording
  std::size_t objects = 0;  // 0: the scene's own default
  std::size_t frames = 0;   // 0: the scene's own default
  std::uint64_t seed = 1;
  Settings settings{};  // the scene's own options, by name
};

// A running scene. It stands before its first frame; next() brings one after the other.
class Scene {
 public:
  virtual ~Scene() = default;

  virtual int dim() const = 0;  // 2 or 3
  virtual std::size_t objects() const = 0;
  virtual std::size_t frames() const = 0;

  // Makes the next frame current; false when there is none left.
  virtual bool next(Executor& executor) = 0;

  // The current frame's boxes, valid until the next call of next(). Throws Error for the wrong dimension.
  virtual BoxesView<2> boxes_2d() const;
  virtual BoxesView<3> boxes_3d() const;
  // The bodies whose boxes these are, for scenes that have them: to measure update_boxes as well.
  virtual std::optional<BodiesView> bodies() const { return std::nullopt; }

  template <int Dim>
  BoxesView<Dim> boxes() const {
    if constexpr (Dim == 2)
      return boxes_2d();
    else
      return boxes_3d();
  }
};

// How many objects, as people write it: 1000, 16k, 1M. Nothing for 0, other words, or more than 32 bits hold.
std::optional<std::size_t> parse_count(std::string_view text);

// Throws Error for an unknown name (with the list of known ones), bad options or an unreadable recording.
std::unique_ptr<Scene> open_scene(const SceneRequest& request);

// What is known of a scene before it runs.
struct SceneInfo {
  std::string name;
  std::string summary;
  std::string paper;  // with its section; empty if our own
  int dim = 3;
  std::size_t default_objects = 0;
  std::size_t default_frames = 0;
  std::vector<OptionInfo> options;
};
std::span<const SceneInfo> scenes();

}  // namespace winnow::scene
