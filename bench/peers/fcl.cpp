// FCL: DynamicAABBTreeCollisionManager, its own choice for moving objects. Registered together, so that the
// tree is built in bulk; update() refits and rebalances it. Each object's local box is our box and its
// transform is none, so FCL sees exactly our boxes; it computes in double, as Debian's library is compiled.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>

#include <memory>

#include "bench/contender.hpp"

namespace winnow::bench {
namespace {

class BoxGeometry final : public fcl::CollisionGeometryd {
 public:
  explicit BoxGeometry(const Box3& box) { set(box); }
  void set(const Box3& box) {
    aabb_local.min_ = {box.lo[0], box.lo[1], box.lo[2]};
    aabb_local.max_ = {box.hi[0], box.hi[1], box.hi[2]};
  }
  void computeLocalAABB() override {}
};

class Fcl final : public Contender {
 public:
  void update(std::span<const Box3> boxes) override {
    if (objects_.size() != boxes.size()) return insert(boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      geometries_[i]->set(boxes[i]);
      objects_[i]->computeAABB();
    }
    manager_.update();
  }

  void find_pairs(PairSink& pairs) override {
    pairs.open(1);
    manager_.collide(&pairs.writer(0), [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* writer) {
      static_cast<PairWriter*>(writer)->write(ordered_pair(id(a), id(b)));
      return false;  // go on
    });
    pairs.close();
  }

 private:
  static std::uint32_t id(const fcl::CollisionObjectd* object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  }

  void insert(std::span<const Box3> boxes) {
    manager_.clear();
    objects_.clear();
    geometries_.clear();
    std::vector<fcl::CollisionObjectd*> added;
    for (const Box3& box : boxes) {
      geometries_.push_back(std::make_shared<BoxGeometry>(box));
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(geometries_.back()));
      objects_.back()->setUserData(reinterpret_cast<void*>(objects_.size() - 1));
      objects_.back()->computeAABB();
      added.push_back(objects_.back().get());
    }
    manager_.registerObjects(added);
    manager_.setup();
  }

  fcl::DynamicAABBTreeCollisionManagerd manager_;
  std::vector<std::shared_ptr<BoxGeometry>> geometries_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
};

const Peer fcl_tree({.name = "fcl_tree",
                     .summary = "fcl::DynamicAABBTreeCollisionManager, refitted every frame",
                     .source = "FCL " FCL_VERSION ", BSD"},
                    [](std::size_t) { return std::make_unique<Fcl>(); });

}  // namespace
}  // namespace winnow::bench
