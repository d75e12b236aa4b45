// Scenes of bodies that an engine moves.
#pragma once

#include <memory>

#include "scene/engine.hpp"
#include "scene/generated.hpp"

namespace winnow::scene {

class BodyScene : public GeneratedScene<3> {
 protected:
  // `skip` frames pass before the first one shown.
  BodyScene(const SceneRequest& request, std::size_t skip) : GeneratedScene(request), skip_(skip) {}

  void start(std::unique_ptr<Engine> engine) { engine_ = std::move(engine); }
  const Engine& engine() const { return *engine_; }
  std::size_t time() const { return time_; }  // steps since the beginning

  virtual Vec3 pull(std::size_t i, const Body& body) const = 0;
  virtual void before_step() {}

  // By default each body's own box.
  virtual void make_boxes(Executor& executor) {
    parallel_for(executor, boxes_.size(), kObjectGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) boxes_[i] = box_of(engine_->bodies()[i]);
    });
  }

 private:
  void make_frame(std::size_t frame, Executor& executor) override {
    const std::size_t steps = frame == 0 ? skip_ : 1;
    for (std::size_t k = 0; k < steps; ++k) {
      ++time_;
      before_step();
      engine_->step([this](std::size_t i, const Body& body) { return pull(i, body); }, executor);
    }
    make_boxes(executor);
  }

  std::size_t skip_;
  std::size_t time_ = 0;
  std::unique_ptr<Engine> engine_;
};

}  // namespace winnow::scene
