// The least program that finds overlapping pairs with Bullet: what the peer bullet_dbvt_d is held against.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include "frames.hpp"

int main(int argc, char** argv) {
  btDbvtBroadphase broadphase;
  broadphase.m_deferedcollide = true;
  std::vector<btBroadphaseProxy*> proxies;
  return time_frames(argc, argv, [&](const std::vector<RawBox>& boxes) {
    const bool first = proxies.empty();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const btVector3 lo(boxes[i].lo[0], boxes[i].lo[1], boxes[i].lo[2]);
      const btVector3 hi(boxes[i].hi[0], boxes[i].hi[1], boxes[i].hi[2]);
      if (first)
        proxies.push_back(broadphase.createProxy(lo, hi, 0, nullptr, 1, -1, nullptr));
      else
        broadphase.setAabb(proxies[i], lo, hi, nullptr);
    }
    if (first) broadphase.optimize();
    broadphase.calculateOverlappingPairs(nullptr);
  });
}
