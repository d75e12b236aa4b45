// Bullet's broad phases, driven as btCollisionWorld drives them: a proxy per object, setAabb for those that
// moved, calculateOverlappingPairs once a frame. Its pairs are those of enlarged boxes (a margin in the
// trees, 16- or 32-bit coordinates in the sweep), kept in its own pair cache.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cstdint>
#include <string>

#include "bench/contender.hpp"

namespace winnow::bench {
namespace {

btVector3 vector(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

void* as_pointer(std::size_t id) { return reinterpret_cast<void*>(id); }
std::uint32_t as_id(const btBroadphaseProxy* proxy) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(proxy->m_clientObject));
}

class Bullet : public Contender {
 public:
  // Objects at rest are left alone, as Bullet's world does with those that sleep.
  void update(std::span<const Box3> boxes) override {
    if (proxies_.size() != boxes.size()) return insert(boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (boxes[i] == last_[i]) continue;
      broadphase_->setAabb(proxies_[i], vector(boxes[i].lo), vector(boxes[i].hi), nullptr);
      last_[i] = boxes[i];
    }
  }

  void find_pairs(PairSink&) override { broadphase_->calculateOverlappingPairs(nullptr); }

  void filter_pairs(std::span<const Box3> boxes, PairSink& pairs) override {
    pairs.open(1);
    const btBroadphasePairArray& cache = broadphase_->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < cache.size(); ++i) {
      const std::uint32_t a = as_id(cache[i].m_pProxy0), b = as_id(cache[i].m_pProxy1);
      if (overlaps(boxes[a], boxes[b])) pairs.writer(0).write(ordered_pair(a, b));
    }
    pairs.close();
  }

  std::uint64_t candidates() const override {
    return static_cast<std::uint64_t>(broadphase_->getOverlappingPairCache()->getNumOverlappingPairs());
  }

 protected:
  virtual std::unique_ptr<btBroadphaseInterface> make(std::span<const Box3> boxes) = 0;
  virtual void after_insert() {}

  std::unique_ptr<btBroadphaseInterface> broadphase_;

 private:
  void insert(std::span<const Box3> boxes) {
    broadphase_ = make(boxes);
    proxies_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i)
      proxies_.push_back(broadphase_->createProxy(vector(boxes[i].lo), vector(boxes[i].hi), 0, as_pointer(i),
                                                  btBroadphaseProxy::DefaultFilter,
                                                  btBroadphaseProxy::AllFilter, nullptr));
    last_.assign(boxes.begin(), boxes.end());
    after_insert();
  }

  std::vector<btBroadphaseProxy*> proxies_;
  std::vector<Box3> last_;
};

// Two dynamic trees of boxes. Not deferred, a moved object searches the trees at once: best when most rest.
// Deferred, the trees are searched against each other once a frame: best when most move.
class Dbvt final : public Bullet {
 public:
  explicit Dbvt(bool deferred) : deferred_(deferred) {}

 private:
  std::unique_ptr<btBroadphaseInterface> make(std::span<const Box3>) override {
    auto dbvt = std::make_unique<btDbvtBroadphase>();
    dbvt->m_deferedcollide = deferred_;
    return dbvt;
  }
  void after_insert() override { static_cast<btDbvtBroadphase&>(*broadphase_).optimize(); }

  bool deferred_;
};

// Sorted end points on three axes, in a world of given bounds: those of the first frame and a tenth more.
class AxisSweep final : public Bullet {
 private:
  std::unique_ptr<btBroadphaseInterface> make(std::span<const Box3> boxes) override {
    btVector3 lo = vector(boxes[0].lo), hi = vector(boxes[0].hi);
    for (const Box3& box : boxes) {
      lo.setMin(vector(box.lo));
      hi.setMax(vector(box.hi));
    }
    const btVector3 room = (hi - lo) * btScalar(0.1);
    // The manual asks for 32 bits beyond 16384 objects. The tree for ray casts is not needed.
    const unsigned handles = static_cast<unsigned>(boxes.size()) + 1;
    if (handles <= 16384)
      return std::make_unique<btAxisSweep3>(lo - room, hi + room, static_cast<unsigned short>(handles),
                                            nullptr, true);
    return std::make_unique<bt32BitAxisSweep3>(lo - room, hi + room, handles, nullptr, true);
  }
};

const std::string kBullet = "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
                            std::to_string(BT_BULLET_VERSION % 100) + ", zlib";

const Peer dbvt_f({.name = "bullet_dbvt_f",
                   .summary = "btDbvtBroadphase, moved objects search at once (Serpa's DBVT F)",
                   .source = kBullet,
                   .enlarges = true},
                  [](std::size_t) { return std::make_unique<Dbvt>(false); });
const Peer dbvt_d({.name = "bullet_dbvt_d",
                   .summary = "btDbvtBroadphase, deferred to one search a frame (Serpa's DBVT D)",
                   .source = kBullet,
                   .enlarges = true},
                  [](std::size_t) { return std::make_unique<Dbvt>(true); });
const Peer axis_sweep({.name = "bullet_axis_sweep",
                       .summary = "btAxisSweep3 up to 16,383 objects, bt32BitAxisSweep3 beyond",
                       .source = kBullet,
                       .enlarges = true,
                       .max_objects = 32000},
                      [](std::size_t) { return std::make_unique<AxisSweep>(); });

}  // namespace
}  // namespace winnow::bench
