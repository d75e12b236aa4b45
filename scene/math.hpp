// Vectors and rotations for scenes. Only operations that IEEE 754 rounds exactly (+ - * / sqrt) are used, so
// that a scene has the same bits on every machine.
#pragma once

#include <array>
#include <cmath>

namespace winnow::scene {

struct Vec3 {
  float x = 0, y = 0, z = 0;

  float& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  float operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  Vec3& operator+=(Vec3 v) { return *this = {x + v.x, y + v.y, z + v.z}; }
  Vec3& operator*=(float s) { return *this = {x * s, y * s, z * s}; }

  friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vec3 v) { return std::sqrt(dot(v, v)); }

// A unit quaternion.
struct Rotation {
  float w = 1, x = 0, y = 0, z = 0;
  friend bool operator==(const Rotation&, const Rotation&) = default;
};

// The rotation's matrix, row by row.
using Matrix3 = std::array<Vec3, 3>;
inline Matrix3 matrix(Rotation q) {
  return {Vec3{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
          Vec3{2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
          Vec3{2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}

// q turned by a small angle: `turn` is the axis times the angle in radians.
inline Rotation turned(Rotation q, Vec3 turn) {
  const Vec3 h = turn * 0.5f;
  const Rotation r{q.w - h.x * q.x - h.y * q.y - h.z * q.z, q.x + h.x * q.w + h.y * q.z - h.z * q.y,
                   q.y + h.y * q.w + h.z * q.x - h.x * q.z, q.z + h.z * q.w + h.x * q.y - h.y * q.x};
  const float scale = 1 / std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  return {r.w * scale, r.x * scale, r.y * scale, r.z * scale};
}

// The cube root; the libraries' differ in the last bit from one to the other.
inline double cube_root(double value) {
  if (value == 0) return 0;
  double root = 1;
  while (root * root * root < value) root *= 2;
  while (root * root * root > value) root /= 2;
  for (int i = 0; i < 8; ++i)
    root -= (root - value / (root * root)) / 3;  // Newton, from within a factor of 2
  return root;
}

}  // namespace winnow::scene
