// Scenes in files, frame after frame: Broadmark's .aabbs and NumPy's .npy (frames x objects x 6, or x 4 in
// 2D: lower corner, then upper). Both stream: memory holds one frame.
#pragma once

#include <memory>
#include <string>

#include "scene/scene.hpp"

namespace winnow::scene {

// By its ending.
bool is_recording(const std::string& path);

// Reads a recording as a scene. The request may ask for fewer frames than there are, but for no other number
// of objects. Throws Error with the byte's offset for whatever the file says of itself that is not true.
std::unique_ptr<Scene> open_recording(const SceneRequest& request);

struct RecordingInfo {
  std::string scene{};         // at most 119 bytes
  std::string objects_type{};  // at most 119 bytes
  int dim = 3;
  std::size_t objects = 0;
  std::size_t frames = 0;
};

// Writes a recording of as many frames as were announced. The file appears with commit(), whole.
class RecordingWriter {
 public:
  virtual ~RecordingWriter() = default;
  virtual void write(const Scene& scene) = 0;  // the scene's current frame
  virtual void commit() = 0;
};

// The format follows from the path's ending. Throws Error for another ending, or for a scene the format has
// no place for.
std::unique_ptr<RecordingWriter> create_recording(const std::string& path, const RecordingInfo& info);

}  // namespace winnow::scene
