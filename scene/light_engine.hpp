// engine=light: moving bodies for up to millions of objects. Position-based: bodies move, those that meet are
// pushed apart, and speeds follow from where they ended. Not exact physics; it gives what a broad phase
// sees of it: falling, piling, bouncing, coming to rest.
#pragma once

#include <functional>
#include <vector>

#include "scene/math.hpp"
#include "winnow/box.hpp"
#include "winnow/executor.hpp"
#include "winnow/method.hpp"

namespace winnow::scene {

// A turned brick. Contacts take it for the ellipsoid of its volume.
struct Body {
  Vec3 position;
  Rotation rotation;
  Vec3 half;               // half its edges
  Vec3 velocity;           // units a second
  Vec3 spin;               // axis times radians a second
  float inverse_mass = 1;  // 0: never pushed
};

// The box of a turned brick.
Box<3> box_of(const Body& body);

struct LightWorld {
  Box<3> bounds;           // bodies stay inside
  float step = 1.0f / 30;  // seconds
  float drag = 0;          // share of the speed lost each step
  float bounce = 0.3f;     // share of the speed kept at a wall
  float friction = 0.2f;   // share of the speed lost each step on the floor or on a body that rests
  bool sleeps = false;     // bodies that hardly move stop, and stay where they are, to the bit
  // A body with this many contacts feels no field: its neighbours carry it. Keeps deep piles from being
  // crushed, which one pass of pushing a step could not. 0: off.
  int crowd = 0;
};

class LightEngine {
 public:
  // Acceleration of body i.
  using Field = std::function<Vec3(std::size_t i, const Body& body)>;

  LightEngine(const LightWorld& world, std::vector<Body> bodies);

  // One step, and the bodies' boxes after it. The result does not depend on the number of threads, nor on the
  // method that finds the pairs.
  void step(const Field& field, Executor& executor, std::vector<Box<3>>& boxes);

  const std::vector<Body>& bodies() const { return bodies_; }
  bool asleep(std::size_t i) const { return states_[i].still >= kStepsToSleep; }

 private:
  static constexpr int kStepsToSleep = 8;

  // Sums of pushes are integers (2^-32 units): whole numbers add up to the same whatever the order.
  struct Push {
    std::int64_t sum[3] = {0, 0, 0};
    std::int32_t contacts = 0;
    std::int32_t resting = 0;  // of the contacts: bodies that sleep or are never pushed
    std::int32_t deepest = 0;  // 2^-16 units
  };
  struct State {
    Vec3 start;        // position at the beginning of the step
    int contacts = 0;  // of the last step
    int still = 0;     // steps without motion
    float reach = 0;   // radius of the ball around the body's ellipsoid
  };

  void move(std::size_t i, const Field& field);
  void meet(std::size_t a, std::size_t b);
  void settle(std::size_t i);
  void obey_pushes(std::size_t i);
  void rub(Body& body) const;
  bool keep_inside(Body& body) const;

  LightWorld world_;
  std::vector<Body> bodies_;
  std::vector<State> states_;
  std::vector<Push> pushes_;
  AnyMethod<3> method_;
};

}  // namespace winnow::scene
