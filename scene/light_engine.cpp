// One step: 1 move every body by its speed  2 find the pairs of boxes with Winnow itself  3 push the bodies
// of each pair apart, by half of what they overlap, as if all pairs were handled at once (Jacobi)  4 keep
// them inside the world, derive speeds, put those that rest to sleep.
#include "scene/light_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "scene/generated.hpp"
#include "winnow/registry.hpp"

namespace winnow::scene {
namespace {

constexpr float kEllipsoid = 1.2407f;  // axes of the ellipsoid with the volume of the brick: cbrt(6 / pi)
constexpr float kTouch = 0.02f;        // share of their size within which bodies count as in contact
constexpr float kStillShare = 0.01f;   // share of its size a body may move in a step and count as still
constexpr float kWakeShare = 0.25f;    // share of its size by which a sleeping body must be hit to wake
constexpr double kPushUnits = 0x1p32;

// From the centre to the surface of the body's ellipsoid, along `direction` (a unit vector).
float radius_along(const Body& body, Vec3 direction) {
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

void raise(std::int32_t& most, std::int32_t value) {
  std::atomic_ref<std::int32_t> shared(most);
  std::int32_t seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

Box<3> box_of(const Body& body) {
  const Matrix3 m = matrix(body.rotation);
  Box<3> box;
  for (int axis = 0; axis < 3; ++axis) {
    const float extent = std::abs(m[axis].x) * body.half.x + std::abs(m[axis].y) * body.half.y +
                         std::abs(m[axis].z) * body.half.z;
    box.lo[axis] = body.position[axis] - extent;
    box.hi[axis] = body.position[axis] + extent;
  }
  return box;
}

LightEngine::LightEngine(const LightWorld& world, std::vector<Body> bodies)
    : world_(world),
      bodies_(std::move(bodies)),
      states_(bodies_.size()),
      pushes_(bodies_.size()),
      method_(make_method<3>(default_method())) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Vec3 half = bodies_[i].half;
    states_[i].reach = kEllipsoid * std::max({half.x, half.y, half.z});
  }
}

void LightEngine::step(const Field& field, Executor& executor, std::vector<Box<3>>& boxes) {
  const auto each_body = [&](auto action) {
    parallel_for(executor, bodies_.size(), kObjectGrain,
                 [&](std::size_t begin, std::size_t end, std::size_t) {
                   for (std::size_t i = begin; i < end; ++i) {
                     action(i);
                     boxes[i] = box_of(bodies_[i]);
                   }
                 });
  };
  boxes.resize(bodies_.size());
  each_body([&](std::size_t i) { move(i, field); });
  method_.update(BoxesView<3>(boxes), executor);
  CallbackSink contacts([&](std::size_t, std::span<const Pair> pairs) {
    for (const Pair pair : pairs) meet(pair.a, pair.b);
  });
  method_.find_pairs(executor, contacts);
  each_body([&](std::size_t i) { settle(i); });
}

void LightEngine::move(std::size_t i, const Field& field) {
  Body& body = bodies_[i];
  State& state = states_[i];
  state.start = body.position;
  pushes_[i] = {};
  if (asleep(i)) return;
  Vec3 pull = field(i, body);
  if (world_.crowd != 0)
    pull *= std::max(0.0f, 1 - static_cast<float>(state.contacts) / static_cast<float>(world_.crowd));
  body.velocity = (body.velocity + pull * world_.step) * (1 - world_.drag);
  body.position += body.velocity * world_.step;
  body.rotation = turned(body.rotation, body.spin * world_.step);
}

void LightEngine::meet(std::size_t a, std::size_t b) {
  const Vec3 between = bodies_[b].position - bodies_[a].position;
  const float reach = (states_[a].reach + states_[b].reach) * (1 + kTouch);
  const float square = dot(between, between);
  if (square > reach * reach) return;
  const float distance = std::sqrt(square);
  const Vec3 direction = distance > 0 ? between * (1 / distance) : Vec3{0, 0, 1};
  const float touch = radius_along(bodies_[a], direction) + radius_along(bodies_[b], direction);
  if (distance > touch * (1 + kTouch)) return;
  const float mobile_a = asleep(a) ? 0 : bodies_[a].inverse_mass;
  const float mobile_b = asleep(b) ? 0 : bodies_[b].inverse_mass;
  add(pushes_[a].contacts, 1);
  add(pushes_[b].contacts, 1);
  if (mobile_a == 0) add(pushes_[b].resting, 1);
  if (mobile_b == 0) add(pushes_[a].resting, 1);
  const float depth = touch - distance;
  if (depth <= 0) return;

  if (mobile_a + mobile_b == 0) return;
  const float share_b = mobile_b / (mobile_a + mobile_b);
  for (int axis = 0; axis < 3; ++axis) {
    const double push = static_cast<double>(direction[axis] * depth) * kPushUnits;
    const auto to_b = static_cast<std::int64_t>(push * share_b);
    const auto to_a = static_cast<std::int64_t>(push * (1 - share_b));
    add(pushes_[b].sum[axis], to_b);
    add(pushes_[a].sum[axis], -to_a);
  }
  const auto hit = static_cast<std::int32_t>(std::min(depth * 0x1p16f, 0x1p30f));
  if (asleep(a)) raise(pushes_[a].deepest, hit);
  if (asleep(b)) raise(pushes_[b].deepest, hit);
}

void LightEngine::settle(std::size_t i) {
  Body& body = bodies_[i];
  State& state = states_[i];
  state.contacts = pushes_[i].contacts;
  if (asleep(i)) {
    const float hit = static_cast<float>(pushes_[i].deepest) * 0x1p-16f;
    if (hit > kWakeShare * state.reach) state.still = 0;
    return;
  }
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

void LightEngine::rub(Body& body) const {
  body.velocity *= 1 - world_.friction;
  body.spin *= 1 - world_.friction;
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

}  // namespace winnow::scene
