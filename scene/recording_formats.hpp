// What the formats of recordings share.
#pragma once

#include <algorithm>
#include <vector>

#include "io/file.hpp"
#include "scene/recording.hpp"
#include "winnow/error.hpp"
#include "winnow/validate.hpp"

namespace winnow::scene {

std::unique_ptr<Scene> open_aabbs(const SceneRequest& request);
std::unique_ptr<Scene> open_npy(const SceneRequest& request);
std::unique_ptr<RecordingWriter> create_aabbs(const std::string& path, const RecordingInfo& info);
std::unique_ptr<RecordingWriter> create_npy(const std::string& path, const RecordingInfo& info);

// Throws Error when the request does not fit a recording of this size.
void check_request(const SceneRequest& request, std::size_t objects, std::size_t frames);

// "frames.npy: at byte 264: what is wrong"
inline Error at_byte(const io::InputFile& file, std::uint64_t offset, const std::string& complaint) {
  return io::file_error(file.name(), "at byte " + std::to_string(offset) + ": " + complaint);
}

// A recording that is read frame by frame.
template <int Dim>
class Recording : public Scene {
 public:
  int dim() const override { return Dim; }
  std::size_t objects() const override { return boxes_.size(); }
  std::size_t frames() const override { return frames_; }
  BoxesView<2> boxes_2d() const override {
    if constexpr (Dim == 2) return boxes_;
    return Scene::boxes_2d();
  }
  BoxesView<3> boxes_3d() const override {
    if constexpr (Dim == 3) return boxes_;
    return Scene::boxes_3d();
  }
  bool next(Executor& executor) override {
    if (frame_ == frames_) return false;
    read_frame();
    if (const auto bad = first_bad_box(BoxesView<Dim>(boxes_), executor)) refuse_box(*bad);
    ++frame_;
    return true;
  }

 protected:
  Recording(const SceneRequest& request, std::size_t objects, std::size_t frames) {
    check_request(request, objects, frames);
    frames_ = request.frames == 0 ? frames : request.frames;
    boxes_.resize(objects);
  }

  virtual void read_frame() = 0;  // fills boxes_
  virtual void refuse_box(std::size_t index) = 0;

  std::size_t frame_ = 0;  // the one that is read next
  std::vector<Box<Dim>> boxes_;

 private:
  std::size_t frames_;
};

}  // namespace winnow::scene
