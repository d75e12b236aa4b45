#include "scene/recording.hpp"

#include "scene/recording_formats.hpp"

namespace winnow::scene {
namespace {

constexpr const char* kAabbs = ".aabbs";
constexpr const char* kNpy = ".npy";

}  // namespace

bool is_recording(const std::string& path) { return path.ends_with(kAabbs) || path.ends_with(kNpy); }

void check_request(const SceneRequest& request, std::size_t objects, std::size_t frames) {
  if (request.objects != 0 && request.objects != objects)
    throw Error("objects", request.scene + ": has " + std::to_string(objects) + " objects, not " +
                               std::to_string(request.objects));
  if (request.frames > frames)
    throw Error("frames", request.scene + ": has " + std::to_string(frames) + " frames, not " +
                              std::to_string(request.frames));
  if (!request.settings.empty())
    throw Error(request.settings.front().name, request.scene + ": a recording has no options, but '" +
                                                   request.settings.front().name + "' was set");
}

std::unique_ptr<Scene> open_recording(const SceneRequest& request) {
  return request.scene.ends_with(kAabbs) ? open_aabbs(request) : open_npy(request);
}

std::unique_ptr<RecordingWriter> create_recording(const std::string& path, const RecordingInfo& info) {
  if (path.ends_with(kAabbs)) return create_aabbs(path, info);
  if (path.ends_with(kNpy)) return create_npy(path, info);
  throw Error("file", path + ": a recording's name ends with .aabbs or .npy");
}

}  // namespace winnow::scene
