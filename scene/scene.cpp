#include "scene/scene.hpp"

#include <algorithm>
#include <charconv>

#include "scene/generated.hpp"
#include "scene/recording.hpp"
#include "winnow/error.hpp"

namespace winnow::scene {
namespace {

const std::vector<SceneEntry>& catalogue() {
  static const std::vector<SceneEntry> entries = [] {
    std::vector<SceneEntry> all;
    for (const auto& source : {serpa_scenes, poirrier_scenes, avril_scenes, pouchol_scenes, stress_scenes})
      for (SceneEntry& entry : source()) all.push_back(std::move(entry));
    return all;
  }();
  return entries;
}

[[noreturn]] void unknown_scene(const std::string& name) {
  std::string known;
  for (const SceneEntry& entry : catalogue()) known += (known.empty() ? "" : ", ") + entry.info.name;
  throw Error("scene", "scene: there is no '" + name + "'; there are " + known +
                           "; recordings end with .aabbs or .npy");
}

}  // namespace

BoxesView<2> Scene::boxes_2d() const { throw Error("scene", "the scene's boxes have three dimensions"); }
BoxesView<3> Scene::boxes_3d() const { throw Error("scene", "the scene's boxes have two dimensions"); }

std::optional<std::size_t> parse_count(std::string_view text) {
  constexpr std::size_t kMost = 4294967295u;
  std::size_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const std::size_t factor = unit.empty() ? 1 : unit == "k" ? 1000 : unit == "M" ? 1000000 : 0;
  if (error != std::errc() || factor == 0 || count == 0 || count > kMost / factor) return std::nullopt;
  return count * factor;
}

std::unique_ptr<Scene> open_scene(const SceneRequest& request) {
  for (const SceneEntry& entry : catalogue()) {
    if (entry.info.name != request.scene) continue;
    SceneRequest filled = request;
    if (filled.objects == 0) filled.objects = entry.info.default_objects;
    if (filled.frames == 0) filled.frames = entry.info.default_frames;
    return entry.make(filled);
  }
  if (is_recording(request.scene)) return open_recording(request);
  unknown_scene(request.scene);
}

std::span<const SceneInfo> scenes() {
  static const std::vector<SceneInfo> infos = [] {
    std::vector<SceneInfo> all;
    for (const SceneEntry& entry : catalogue()) all.push_back(entry.info);
    return all;
  }();
  return infos;
}

}  // namespace winnow::scene
