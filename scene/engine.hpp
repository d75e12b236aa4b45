// What moves the bodies of a scene: `light`, our own, for millions of them, or `bullet`, a rigid-body engine.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scene/math.hpp"
#include "winnow/bodies.hpp"
#include "winnow/box.hpp"
#include "winnow/executor.hpp"

namespace winnow::scene {

enum class Form { brick, ball };

struct Body {
  Vec3 position;
  Rotation rotation;
  Vec3 half;               // half its edges
  Vec3 velocity;           // units a second
  Vec3 spin;               // axis times radians a second
  float inverse_mass = 1;  // 0: fixed, never moves; a fixed brick is not turned
  Form form = Form::brick;

  bool fixed() const { return inverse_mass == 0; }
};

// The box of a turned brick or a ball.
Box<3> box_of(const Body& body);

// Where bodies are, as update_boxes takes them.
PosesView poses_of(const std::vector<Body>& bodies);

struct World {
  Box<3> bounds;           // bodies stay inside
  float step = 1.0f / 30;  // seconds
  float drag = 0;          // share of the speed lost each step
  float bounce = 0.3f;     // share of the speed kept at a wall
  float friction = 0.2f;   // share of the speed lost each step on the floor or on a body that rests
  bool sleeps = false;     // bodies that hardly move stop, and stay where they are, to the bit
  int crowd = 0;           // contacts at which a body feels no field any more; 0: it always does
};

class Engine {
 public:
  // Acceleration of body i.
  using Field = std::function<Vec3(std::size_t i, const Body& body)>;

  virtual ~Engine() = default;

  // One step. The result does not depend on the number of threads.
  virtual void step(const Field& field, Executor& executor) = 0;

  const std::vector<Body>& bodies() const { return bodies_; }

 protected:
  explicit Engine(std::vector<Body> bodies) : bodies_(std::move(bodies)) {}

  std::vector<Body> bodies_;
};

std::unique_ptr<Engine> make_light_engine(const World& world, std::vector<Body> bodies);

// Throws Error when the build has no Bullet.
std::unique_ptr<Engine> make_bullet_engine(const World& world, std::vector<Body> bodies);

}  // namespace winnow::scene
