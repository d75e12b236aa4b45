#include "scene/engine.hpp"

#include <cmath>

#include "winnow/error.hpp"

namespace winnow::scene {

Box<3> box_of(const Body& body) {
  Vec3 extent = body.half;
  if (body.form == Form::brick) {
    const Matrix3 m = matrix(body.rotation);
    for (int axis = 0; axis < 3; ++axis)
      extent[axis] = std::abs(m[axis].x) * body.half.x + std::abs(m[axis].y) * body.half.y +
                     std::abs(m[axis].z) * body.half.z;
  }
  Box<3> box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = body.position[axis] - extent[axis];
    box.hi[axis] = body.position[axis] + extent[axis];
  }
  return box;
}

PosesView poses_of(const std::vector<Body>& bodies) {
  if (bodies.empty()) return {};
  const Body& b = bodies.front();
  return PosesView({&b.position.x, &b.position.y, &b.position.z, &b.rotation.x, &b.rotation.y, &b.rotation.z,
                    &b.rotation.w},
                   bodies.size(), sizeof(Body));
}

#ifndef WINNOW_HAS_BULLET
std::unique_ptr<Engine> make_bullet_engine(const World&, std::vector<Body>) {
  throw Error("engine",
              "engine: this build has no Bullet; use engine=light, or install it (Debian: libbullet-dev) and "
              "configure again");
}
#endif

}  // namespace winnow::scene
