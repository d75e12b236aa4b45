// The least program that finds overlapping pairs with Embree: what the peer embree is held against.
#include <embree3/rtcore.h>

#include <utility>

#include "frames.hpp"

int main(int argc, char** argv) {
  const RTCDevice device = rtcNewDevice("threads=1");
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryBoundsFunction(
      geometry,
      [](const RTCBoundsFunctionArguments* a) {
        const RawBox& box = static_cast<const RawBox*>(a->geometryUserPtr)[a->primID];
        *a->bounds_o = {box.lo[0], box.lo[1], box.lo[2], 0, box.hi[0], box.hi[1], box.hi[2], 0};
      },
      nullptr);
  rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_LOW);
  const RTCScene scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
  rtcAttachGeometry(scene, geometry);
  std::vector<std::pair<unsigned, unsigned>> pairs;
  return time_frames(argc, argv, [&](std::vector<RawBox>& boxes) {
    pairs.clear();
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(boxes.size()));
    rtcSetGeometryUserData(geometry, boxes.data());
    rtcCommitGeometry(geometry);
    rtcCommitScene(scene);
    rtcCollide(
        scene, scene,
        [](void* out, RTCCollision* found, unsigned count) {
          for (unsigned i = 0; i < count; ++i)
            if (found[i].primID0 < found[i].primID1)
              static_cast<decltype(pairs)*>(out)->emplace_back(found[i].primID0, found[i].primID1);
        },
        &pairs);
  });
}
