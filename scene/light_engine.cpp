// engine=light: moving bodies for up to millions of objects. Not exact physics; it gives what a broad phase
// sees of it: falling, piling, bouncing, coming to rest. Position-based, one pass a step:
// 1 move every body by its speed  2 find the pairs of boxes with Winnow itself  3 push the bodies of each
// pair apart, as if all pairs were handled at once (Jacobi)  4 keep them inside the world, derive speeds from
// where they ended, put those that rest to sleep.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "scene/engine.hpp"
#include "scene/generated.hpp"
#include "winnow/registry.hpp"

namespace winnow::scene {
namespace {

constexpr float kEllipsoid = 1.2407f;  // a brick meets others as the ellipsoid of its volume: cbrt(6 / pi)
constexpr float kTouch = 0.02f;        // share of their size within which bodies count as in contact
constexpr float kStillShare = 0.01f;   // share of its size a body may move in a step and count as still
constexpr float kHitShare = 0.05f;     // share of their size by which bodies close in a step when they hit
constexpr float kWakeShare = 0.25f;    // share of its size by which a sleeping body must be hit to wake
constexpr int kStepsToSleep = 8;
constexpr double kPushUnits = 0x1p32;

class LightEngine final : public Engine {
 public:
  LightEngine(const World& world, std::vector<Body> bodies)
      : Engine(std::move(bodies)),
        world_(world),
        states_(bodies_.size()),
        pushes_(bodies_.size()),
        boxes_(bodies_.size()),
        method_(make_method<3>(default_method())) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Body& body = bodies_[i];
      const float longest = std::max({body.half.x, body.half.y, body.half.z});
      states_[i].reach = body.form == Form::ball ? longest : kEllipsoid * longest;
    }
  }

  void step(const Field& field, Executor& executor) override {
    const auto each_body = [&](auto action) {
      parallel_for(executor, bodies_.size(), kObjectGrain,
                   [&](std::size_t begin, std::size_t end, std::size_t) {
                     for (std::size_t i = begin; i < end; ++i) action(i);
                   });
    };
    each_body([&](std::size_t i) {
      move(i, field);
      boxes_[i] = box_of(bodies_[i]);
    });
    method_.update(BoxesView<3>(boxes_), executor);
    CallbackSink contacts([&](std::size_t, std::span<const Pair> pairs) {
      for (const Pair pair : pairs) meet(pair.a, pair.b);
    });
    method_.find_pairs(executor, contacts);
    each_body([&](std::size_t i) { settle(i); });
  }

 private:
  // What a body's contacts of this step add up to. Sums are integers, whose sum is the same in any order:
  // so neither threads nor the method that finds the pairs leave a trace.
  struct Push {
    std::int64_t sum[3] = {0, 0, 0};  // 2^-32 units
    std::int32_t contacts = 0;
    std::int32_t resting = 0;  // of the contacts: bodies that sleep or are fixed
    std::int32_t hits = 0;     // of the contacts: those that wake it
  };
  struct State {
    Vec3 start;        // position at the beginning of the step
    int contacts = 0;  // of the last step
    int still = 0;     // steps without motion
    float reach = 0;   // radius of the ball around what the body meets others with
  };
  struct Contact {
    Vec3 direction;  // from a to b
    float depth;     // negative: a gap
    float size;      // of the two, along the direction
  };

  bool asleep(std::size_t i) const { return states_[i].still >= kStepsToSleep; }
  // How easily a body is pushed when it is hit this deep: a sleeper only by what wakes it.
  float mobility(std::size_t i, float hit = 0) const {
    return asleep(i) && hit <= kWakeShare * states_[i].reach ? 0 : bodies_[i].inverse_mass;
  }

  void move(std::size_t i, const Field& field);
  void meet(std::size_t a, std::size_t b);
  void push(std::size_t i, Vec3 direction, double depth);
  void settle(std::size_t i);
  void obey_pushes(std::size_t i);
  bool keep_inside(Body& body) const;
  void rub(Body& body) const;

  Contact contact(std::size_t a, std::size_t b) const;
  Contact contact_with_fixed_brick(std::size_t brick, std::size_t other) const;

  World world_;
  std::vector<State> states_;
  std::vector<Push> pushes_;
  std::vector<Box<3>> boxes_;
  AnyMethod<3> method_;
};

// From the centre to the surface, along `direction` (a unit vector).
float radius_along(const Body& body, Vec3 direction) {
  if (body.form == Form::ball) return body.half.x;
  if (body.half.x == body.half.y && body.half.x == body.half.z) return body.half.x * kEllipsoid;
  const Matrix3 m = matrix(body.rotation);
  const float x = (m[0].x * direction.x + m[1].x * direction.y + m[2].x * direction.z) / body.half.x;
  const float y = (m[0].y * direction.x + m[1].y * direction.y + m[2].y * direction.z) / body.half.y;
  const float z = (m[0].z * direction.x + m[1].z * direction.y + m[2].z * direction.z) / body.half.z;
  return kEllipsoid / std::sqrt(x * x + y * y + z * z);
}

template <class T>
void add(T& sum, T value) {
  std::atomic_ref<T>(sum).fetch_add(value, std::memory_order_relaxed);
}

void LightEngine::move(std::size_t i, const Field& field) {
  Body& body = bodies_[i];
  State& state = states_[i];
  state.start = body.position;
  pushes_[i] = {};
  if (mobility(i) == 0) return;
  Vec3 pull = field(i, body);
  // One pass of pushing a step cannot carry a deep pile: a crowded body is carried by its neighbours instead.
  if (world_.crowd != 0)
    pull *= std::max(0.0f, 1 - static_cast<float>(state.contacts) / static_cast<float>(world_.crowd));
  body.velocity = (body.velocity + pull * world_.step) * (1 - world_.drag);
  body.position += body.velocity * world_.step;
  body.rotation = turned(body.rotation, body.spin * world_.step);
}

LightEngine::Contact LightEngine::contact(std::size_t a, std::size_t b) const {
  const Vec3 between = bodies_[b].position - bodies_[a].position;
  const float reach = states_[a].reach + states_[b].reach;
  const float square = dot(between, between);
  if (square > reach * reach * ((1 + kTouch) * (1 + kTouch))) return {{}, -1, 0};
  const float distance = std::sqrt(square);
  const Vec3 direction = distance > 0 ? between * (1 / distance) : Vec3{0, 0, 1};
  const float size = radius_along(bodies_[a], direction) + radius_along(bodies_[b], direction);
  return {direction, size - distance, size};
}

// Against the point of the brick nearest to the other's centre; one that got inside leaves through the top.
LightEngine::Contact LightEngine::contact_with_fixed_brick(std::size_t brick, std::size_t other) const {
  const Box<3>& box = boxes_[brick];
  const Vec3 centre = bodies_[other].position;
  Vec3 away;
  for (int axis = 0; axis < 3; ++axis)
    away[axis] = centre[axis] - std::clamp(centre[axis], box.lo[axis], box.hi[axis]);
  const float distance = length(away);
  if (distance > 0) {
    const Vec3 direction = away * (1 / distance);
    const float radius = radius_along(bodies_[other], direction);
    return {direction, radius - distance, radius};
  }
  const Vec3 up{0, 0, 1};
  const float radius = radius_along(bodies_[other], up);
  return {up, radius + box.hi[2] - centre.z, radius};
}

void LightEngine::meet(std::size_t a, std::size_t b) {
  if (bodies_[a].fixed() && bodies_[b].fixed()) return;
  const auto fixed_brick = [&](std::size_t i) {
    return bodies_[i].fixed() && bodies_[i].form == Form::brick;
  };
  Contact c;
  if (fixed_brick(a)) {
    c = contact_with_fixed_brick(a, b);
  } else if (fixed_brick(b)) {
    c = contact_with_fixed_brick(b, a);
    c.direction *= -1;
  } else {
    c = contact(a, b);
  }
  if (c.depth < -kTouch * c.size) return;
  // Pressure without motion is no hit: it wakes nobody, or a deep pile would never come to rest.
  const float closing = dot(bodies_[a].velocity - bodies_[b].velocity, c.direction) * world_.step;
  const float hit = closing > kHitShare * c.size ? c.depth : 0;
  const float mobile_a = mobility(a, hit), mobile_b = mobility(b, hit);
  add(pushes_[a].contacts, 1);
  add(pushes_[b].contacts, 1);
  if (mobile_a == 0) add(pushes_[b].resting, 1);
  if (mobile_b == 0) add(pushes_[a].resting, 1);
  if (c.depth <= 0 || mobile_a + mobile_b == 0) return;

  const double share_b = mobile_b / (mobile_a + mobile_b);
  push(b, c.direction, share_b * c.depth);
  push(a, c.direction, (share_b - 1) * c.depth);
  if (asleep(a) && mobile_a != 0) add(pushes_[a].hits, 1);
  if (asleep(b) && mobile_b != 0) add(pushes_[b].hits, 1);
}

void LightEngine::push(std::size_t i, Vec3 direction, double depth) {
  for (int axis = 0; axis < 3; ++axis)
    add(pushes_[i].sum[axis],
        static_cast<std::int64_t>(static_cast<double>(direction[axis]) * depth * kPushUnits));
}

void LightEngine::settle(std::size_t i) {
  Body& body = bodies_[i];
  State& state = states_[i];
  state.contacts = pushes_[i].contacts;
  if (body.fixed()) return;
  if (pushes_[i].hits > 0) state.still = 0;
  if (asleep(i)) return;
  obey_pushes(i);
  const bool on_floor = keep_inside(body);
  const bool supported = on_floor || pushes_[i].resting > 0;
  if (supported) rub(body);
  if (!world_.sleeps) return;
  const bool still = supported && length(body.position - state.start) < kStillShare * state.reach;
  state.still = still ? state.still + 1 : 0;
  if (asleep(i)) body.velocity = body.spin = {};
}

void LightEngine::obey_pushes(std::size_t i) {
  const Push& push = pushes_[i];
  if (push.contacts == 0) return;
  Body& body = bodies_[i];
  const double scale = 1 / (kPushUnits * std::sqrt(static_cast<double>(push.contacts)));
  for (int axis = 0; axis < 3; ++axis)
    body.position[axis] += static_cast<float>(static_cast<double>(push.sum[axis]) * scale);
  // A push turns a motion or ends it, but never adds to it.
  const float speed_before = length(body.velocity);
  body.velocity = (body.position - states_[i].start) * (1 / world_.step);
  const float speed = length(body.velocity);
  if (speed > speed_before) body.velocity *= speed_before / speed;
}

// True when the body touches the floor.
bool LightEngine::keep_inside(Body& body) const {
  const Box<3> box = box_of(body);
  for (int axis = 0; axis < 3; ++axis) {
    const float below = world_.bounds.lo[axis] - box.lo[axis], above = box.hi[axis] - world_.bounds.hi[axis];
    if (below <= 0 && above <= 0) continue;
    body.position[axis] += below > 0 ? below : -above;
    const float inward = below > 0 ? 1.0f : -1.0f;
    if (body.velocity[axis] * inward < 0) body.velocity[axis] *= -world_.bounce;
  }
  return box.lo[2] <= world_.bounds.lo[2];
}

void LightEngine::rub(Body& body) const {
  body.velocity *= 1 - world_.friction;
  body.spin *= 1 - world_.friction;
}

}  // namespace

std::unique_ptr<Engine> make_light_engine(const World& world, std::vector<Body> bodies) {
  return std::make_unique<LightEngine>(world, std::move(bodies));
}

}  // namespace winnow::scene
