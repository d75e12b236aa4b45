// Stress scenes: a layout that is hard for some method, and objects that swing about their places, so that it
// stays that layout. Each position follows from the frame's number alone.
#pragma once

#include <algorithm>

#include "scene/engine.hpp"
#include "scene/generated.hpp"
#include "scene/random.hpp"

namespace winnow::scene {

struct Place {
  std::array<double, 3> centre{};
  Vec3 half{0.5f, 0.5f, 0.5f};  // of the box
  Vec3 motion;                  // units a frame
};

// The sum of `frame` steps of +-1 that turn every twenty: between -10 and 10.
inline double swing(std::size_t frame, std::uint64_t phase) {
  const auto t = static_cast<double>((frame + phase) % 40);
  return t < 10 ? t : t < 30 ? 20 - t : t - 40;
}

inline Box<3> box_at(const Place& place, std::size_t frame, std::uint64_t phase) {
  Box<3> box;
  const double way = swing(frame, phase);
  for (int axis = 0; axis < 3; ++axis) {
    const double centre = place.centre[axis] + place.motion[axis] * way;
    box.lo[axis] = static_cast<float>(centre - place.half[axis]);
    box.hi[axis] = static_cast<float>(centre + place.half[axis]);
  }
  return box;
}

// Half the box of a cube turned at random.
inline Vec3 turned_cube(Random& random, float edge) {
  Body body;
  body.half = Vec3{edge, edge, edge} * 0.5f;
  body.rotation = random.rotation();
  const Box<3> box = box_of(body);
  return {box.hi[0], box.hi[1], box.hi[2]};
}

inline std::array<double, 3> uniform_point(Random& random, double side) {
  const double x = random.uniform(0, side), y = random.uniform(0, side), z = random.uniform(0, side);
  return {x, y, z};
}

// A Layout has Options with a table, a constructor (options, objects, seed) and place(i, frame).
template <class Layout>
class StressScene final : public GeneratedScene<3> {
 public:
  explicit StressScene(const SceneRequest& request)
      : GeneratedScene(request),
        layout_(Layout::Options::table().make(request.settings), request.objects, request.seed) {}

 private:
  void make_frame(std::size_t frame, Executor& executor) override {
    parallel_for(executor, boxes_.size(), kObjectGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) boxes_[i] = box_at(layout_.place(i, frame), frame, i);
    });
  }

  Layout layout_;
};

template <class Layout>
SceneEntry stress_entry(const char* name, const char* summary, std::size_t objects = 16000) {
  return {{.name = name,
           .summary = summary,
           .paper = "",
           .dim = 3,
           .default_objects = objects,
           .default_frames = 100,
           .options = Layout::Options::table().infos()},
          make_scene<StressScene<Layout>>};
}

}  // namespace winnow::scene
