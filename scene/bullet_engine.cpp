// engine=bullet: rigid bodies by Bullet: friction, torques and exact contacts of bricks, at a price that
// keeps it below some ten thousand bodies. On one thread, so that a scene is always the same.
#ifdef WINNOW_HAS_BULLET

#include <btBulletDynamicsCommon.h>

#include <array>
#include <cmath>
#include <map>

#include "scene/engine.hpp"

namespace winnow::scene {
namespace {

constexpr int kSubsteps = 2;

btVector3 as_bullet(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

class BulletEngine final : public Engine {
 public:
  BulletEngine(const World& world, std::vector<Body> bodies)
      : Engine(std::move(bodies)),
        settings_(world),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity({0, 0, 0});  // fields are applied body by body
    add_walls();
    for (const Body& body : bodies_) add(body);
  }
  ~BulletEngine() override {
    for (const auto* bodies : {&rigid_, &walls_})
      for (const auto& body : *bodies) world_.removeRigidBody(body.get());
  }

  void step(const Field& field, Executor&) override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      btRigidBody& rigid = *rigid_[i];
      if (rigid.isActive() && !bodies_[i].fixed())
        rigid.applyCentralForce(as_bullet(field(i, bodies_[i])) / bodies_[i].inverse_mass);
    }
    world_.stepSimulation(settings_.step, kSubsteps, settings_.step / kSubsteps);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const btTransform& transform = rigid_[i]->getWorldTransform();
      const btQuaternion q = transform.getRotation();
      bodies_[i].position = from_bullet(transform.getOrigin());
      bodies_[i].rotation = {q.w(), q.x(), q.y(), q.z()};
      bodies_[i].velocity = from_bullet(rigid_[i]->getLinearVelocity());
      bodies_[i].spin = from_bullet(rigid_[i]->getAngularVelocity());
    }
  }

 private:
  void add_walls() {
    for (int axis = 0; axis < 3; ++axis) {
      btVector3 inward(0, 0, 0);
      inward[axis] = 1;
      add_wall(inward, settings_.bounds.lo[axis]);
      add_wall(-inward, -settings_.bounds.hi[axis]);
    }
  }
  void add_wall(const btVector3& inward, float distance) {
    shapes_.push_back(std::make_unique<btStaticPlaneShape>(inward, distance));
    add(std::make_unique<btRigidBody>(
        btRigidBody::btRigidBodyConstructionInfo(0, nullptr, shapes_.back().get())));
  }

  void add(const Body& body) {
    btCollisionShape* const shape = shape_of(body);
    const float mass = body.fixed() ? 0 : 1 / body.inverse_mass;
    btVector3 inertia(0, 0, 0);
    if (!body.fixed()) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    const Rotation q = body.rotation;
    info.m_startWorldTransform = btTransform(btQuaternion(q.x, q.y, q.z, q.w), as_bullet(body.position));
    auto rigid = std::make_unique<btRigidBody>(info);
    rigid->setLinearVelocity(as_bullet(body.velocity));
    rigid->setAngularVelocity(as_bullet(body.spin));
    rigid->setDamping(drag_per_second(), 0.05f);
    if (settings_.sleeps) {
      rigid->setSleepingThresholds(0.8f, 1.0f);  // Bullet's own, in units and radians a second
    } else {
      rigid->setActivationState(DISABLE_DEACTIVATION);
    }
    add(std::move(rigid));
  }
  void add(std::unique_ptr<btRigidBody> rigid) {
    rigid->setRestitution(settings_.bounce);
    rigid->setFriction(settings_.friction > 0 ? 0.5f : 0.0f);
    world_.addRigidBody(rigid.get());
    const bool wall = rigid->getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
    (wall ? walls_ : rigid_).push_back(std::move(rigid));
  }

  // Bodies of one size share a shape.
  btCollisionShape* shape_of(const Body& body) {
    const std::array<float, 4> key{body.half.x, body.half.y, body.half.z,
                                   body.form == Form::ball ? 1.0f : 0.0f};
    btCollisionShape*& shape = shape_by_size_[key];
    if (shape == nullptr) {
      if (body.form == Form::ball)
        shapes_.push_back(std::make_unique<btSphereShape>(body.half.x));
      else
        shapes_.push_back(std::make_unique<btBoxShape>(as_bullet(body.half)));
      shape = shapes_.back().get();
    }
    return shape;
  }

  // Bullet's damping is the share lost in a second, ours in a step.
  float drag_per_second() const {
    float kept = 1;
    for (float t = 0; t < 1; t += settings_.step) kept *= 1 - settings_.drag;
    return 1 - kept;
  }

  World settings_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::map<std::array<float, 4>, btCollisionShape*> shape_by_size_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btRigidBody>> rigid_, walls_;
};

}  // namespace

std::unique_ptr<Engine> make_bullet_engine(const World& world, std::vector<Body> bodies) {
  return std::make_unique<BulletEngine>(world, std::move(bodies));
}

}  // namespace winnow::scene

#endif
