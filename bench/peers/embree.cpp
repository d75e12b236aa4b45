// Embree: rtcCollide of a scene with itself. The boxes are one user geometry; the scene is dynamic and built
// at low quality, its Morton builder: the fastest way to rebuild every frame. As the manual says, the
// callback gets pairs that may intersect and tests them itself.
#include <embree3/rtcore.h>

#include <atomic>

#include "bench/contender.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

void bounds_of(const RTCBoundsFunctionArguments* arguments) {
  const Box3& box = static_cast<const Box3*>(arguments->geometryUserPtr)[arguments->primID];
  RTCBounds& bounds = *arguments->bounds_o;
  bounds.lower_x = box.lo[0];
  bounds.lower_y = box.lo[1];
  bounds.lower_z = box.lo[2];
  bounds.upper_x = box.hi[0];
  bounds.upper_y = box.hi[1];
  bounds.upper_z = box.hi[2];
}

class Embree final : public Contender {
 public:
  explicit Embree(std::size_t threads) : threads_(threads) {
    device_ = rtcNewDevice(("threads=" + std::to_string(threads)).c_str());
    if (device_ == nullptr) throw Error("embree", "embree: no device");
    geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBoundsFunction(geometry_, bounds_of, nullptr);
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_LOW);
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcAttachGeometry(scene_, geometry_);
  }
  ~Embree() override {
    rtcReleaseScene(scene_);
    rtcReleaseGeometry(geometry_);
    rtcReleaseDevice(device_);
  }

  void update(std::span<const Box3> boxes) override {
    boxes_ = boxes;
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(boxes.size()));
    rtcSetGeometryUserData(geometry_, const_cast<Box3*>(boxes.data()));
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }

  void find_pairs(PairSink& pairs) override {
    pairs.open(threads_);
    pairs_ = &pairs;
    ++call_;
    workers_ = 0;
    rtcCollide(
        scene_, scene_,
        [](void* self, RTCCollision* found, unsigned count) {
          static_cast<Embree*>(self)->take(found, count);
        },
        this);
    pairs.close();
  }

 private:
  // Called from Embree's threads: each takes the next free writer when it first comes in a frame.
  PairWriter& writer() {
    thread_local struct {
      const Embree* owner = nullptr;
      std::uint64_t call = 0;
      PairWriter* writer = nullptr;
    } mine;
    if (mine.owner != this || mine.call != call_) mine = {this, call_, &pairs_->writer(workers_++)};
    return *mine.writer;
  }

  // A scene against itself meets every pair from both sides, and every box itself.
  void take(const RTCCollision* found, unsigned count) {
    PairWriter& out = writer();
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t a = found[i].primID0, b = found[i].primID1;
      if (a < b && overlaps(boxes_[a], boxes_[b])) out.write({a, b});
    }
  }

  std::size_t threads_;
  RTCDevice device_;
  RTCGeometry geometry_;
  RTCScene scene_;
  std::span<const Box3> boxes_;
  PairSink* pairs_ = nullptr;
  std::uint64_t call_ = 0;
  std::atomic<std::size_t> workers_ = 0;
};

const Peer embree({.name = "embree",
                   .summary = "rtcCollide on user geometry, rebuilt every frame at low quality (Morton)",
                   .source = "Embree " RTC_VERSION_STRING ", Apache-2.0",
                   .parallel = true},
                  [](std::size_t threads) { return std::make_unique<Embree>(threads); });

}  // namespace
}  // namespace winnow::bench
