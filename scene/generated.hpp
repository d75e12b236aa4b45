// What generated scenes share: counting frames, owning boxes, and the catalogue they are listed in.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scene/scene.hpp"

namespace winnow::scene {

// A scene that makes its boxes frame by frame.
template <int Dim>
class GeneratedScene : public Scene {
 public:
  // `request` has its number of objects and frames filled in.
  explicit GeneratedScene(const SceneRequest& request)
      : seed_(request.seed), boxes_(request.objects), frames_(request.frames) {}

  int dim() const override { return Dim; }
  std::size_t objects() const override { return boxes_.size(); }
  std::size_t frames() const override { return frames_; }
  bool next(Executor& executor) override {
    if (frame_ == frames_) return false;
    make_frame(frame_, executor);
    ++frame_;
    return true;
  }
  BoxesView<2> boxes_2d() const override {
    if constexpr (Dim == 2) return boxes_;
    return Scene::boxes_2d();
  }
  BoxesView<3> boxes_3d() const override {
    if constexpr (Dim == 3) return boxes_;
    return Scene::boxes_3d();
  }

 protected:
  // Fills boxes_. Frames come in order, from 0 on.
  virtual void make_frame(std::size_t frame, Executor& executor) = 0;

  std::uint64_t seed_;
  std::vector<Box<Dim>> boxes_;

 private:
  std::size_t frames_;
  std::size_t frame_ = 0;
};

// One line of the catalogue.
struct SceneEntry {
  SceneInfo info;
  std::unique_ptr<Scene> (*make)(const SceneRequest& request);
};

template <class SceneType>
std::unique_ptr<Scene> make_scene(const SceneRequest& request) {
  return std::make_unique<SceneType>(request);
}

// The scenes of each source, in the order they are listed.
std::vector<SceneEntry> serpa_scenes();
std::vector<SceneEntry> poirrier_scenes();
std::vector<SceneEntry> avril_scenes();
std::vector<SceneEntry> pouchol_scenes();
std::vector<SceneEntry> stress_scenes();

constexpr std::size_t kObjectGrain = 4096;  // objects a thread takes at a time

}  // namespace winnow::scene
