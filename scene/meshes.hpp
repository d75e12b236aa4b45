// Points of the meshes that bodies are made of. Made of + - * / and sqrt alone, as all of a scene.
#pragma once

#include <algorithm>
#include <vector>

#include "scene/math.hpp"
#include "winnow/bodies.hpp"

namespace winnow::scene {

// A cube of edge 1: 12 triangles.
inline std::vector<Vector3> cube_points() {
  std::vector<Vector3> points;
  for (int k = 0; k < 8; ++k)
    points.push_back({k & 1 ? 0.5f : -0.5f, k & 2 ? 0.5f : -0.5f, k & 4 ? 0.5f : -0.5f});
  return points;
}

// A ball of diameter 1: an octahedron whose faces are cut into parts^2 triangles each, blown up to a sphere.
// 8 parts^2 triangles, 4 parts^2 + 2 points.
inline std::vector<Vector3> ball_points(int parts) {
  std::vector<Vector3> points;
  for (int x = -parts; x <= parts; ++x) {
    for (int y = -(parts - std::abs(x)); y <= parts - std::abs(x); ++y) {
      const int height = parts - std::abs(x) - std::abs(y);
      for (const int z : {height, -height}) {
        const Vec3 p{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
        const Vec3 on_ball = p * (0.5f / length(p));
        points.push_back({on_ball.x, on_ball.y, on_ball.z});
        if (height == 0) break;
      }
    }
  }
  return points;
}

// A skittle of height 3 along z, its origin in the middle: `rings` circles of 4 * quarter points each, about
// 8 rings quarter triangles. Its waist makes it concave.
inline std::vector<Vector3> skittle_points(int rings, int quarter) {
  struct Profile {
    float height, radius;
  };
  constexpr Profile kProfile[] = {{-1.5f, 0.2f}, {-0.9f, 0.45f}, {-0.4f, 0.48f}, {0.6f, 0.2f},
                                  {0.9f, 0.18f}, {1.2f, 0.25f},  {1.4f, 0.2f},   {1.5f, 0.05f}};
  std::vector<Vector3> points;
  std::size_t part = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const float z = -1.5f + 3 * static_cast<float>(ring) / static_cast<float>(rings - 1);
    while (part + 2 < std::size(kProfile) && kProfile[part + 1].height < z) ++part;
    const Profile below = kProfile[part], above = kProfile[part + 1];
    const float along = (z - below.height) / (above.height - below.height);
    const float radius = below.radius + along * (above.radius - below.radius);
    for (int k = 0; k < 4 * quarter; ++k) {
      // Around the border of a square, drawn in to the circle.
      const float way = 2 * static_cast<float>(k % quarter) / static_cast<float>(quarter) - 1;
      const Vec3 side[] = {{way, -1, 0}, {1, way, 0}, {-way, 1, 0}, {-1, -way, 0}};
      const Vec3 square = side[k / quarter];
      const Vec3 circle = square * (radius / length(square));
      points.push_back({circle.x, circle.y, z});
    }
  }
  return points;
}

}  // namespace winnow::scene
