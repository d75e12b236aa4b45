#include "support/generators.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace winnow::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

float ulps_from(float value, int ulps) {
  for (; ulps > 0; --ulps) value = std::nextafter(value, kInfinity);
  for (; ulps < 0; ++ulps) value = std::nextafter(value, -kInfinity);
  return value;
}

template <int Dim>
std::size_t side_of_cube(std::size_t n) {
  std::size_t side = 1;
  while (static_cast<double>(n) > std::pow(static_cast<double>(side), Dim)) ++side;
  return side;
}

// A box from any two corners.
template <int Dim>
Box<Dim> box_between(const std::array<float, Dim>& p, const std::array<float, Dim>& q) {
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    const bool rising = p[axis] <= q[axis];
    box.lo[axis] = rising ? p[axis] : q[axis];
    box.hi[axis] = rising ? q[axis] : p[axis];
  }
  return box;
}

// n boxes, each corner value by value(axis).
template <int Dim, class Value>
BoxList<Dim> by_corners(std::size_t n, Value value) {
  BoxList<Dim> boxes(n);
  for (Box<Dim>& box : boxes) {
    std::array<float, Dim> p, q;
    for (int axis = 0; axis < Dim; ++axis) {
      p[axis] = value(axis);
      q[axis] = value(axis);
    }
    box = box_between<Dim>(p, q);
  }
  return boxes;
}

// n boxes with lo by lo(i, axis) and hi = lo + extent(i, axis).
template <int Dim, class Lo, class Extent>
BoxList<Dim> by_extents(std::size_t n, Lo lo, Extent extent) {
  BoxList<Dim> boxes(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int axis = 0; axis < Dim; ++axis) {
      boxes[i].lo[axis] = lo(i, axis);
      boxes[i].hi[axis] = boxes[i].lo[axis] + extent(i, axis);
    }
  }
  return boxes;
}

// Cell of box i in a square or cubic lattice.
template <int Dim>
float lattice_cell(std::size_t i, int axis, std::size_t side) {
  for (int skip = 0; skip < axis; ++skip) i /= side;
  return static_cast<float>(i % side);
}

template <int Dim>
BoxList<Dim> uniform(std::size_t n, Random& random) {
  const double world = 0.8 * static_cast<double>(side_of_cube<Dim>(n));
  return by_extents<Dim>(
      n, [&](auto, int) { return random.uniform(-world, world); },
      [&](auto, int) { return random.uniform(0, 2); });
}

template <int Dim>
BoxList<Dim> signed_zeros(std::size_t n, Random& random) {
  constexpr float values[] = {-kDenormal, -0.0f, 0.0f, kDenormal, -1.0f, 1.0f};
  return by_corners<Dim>(n, [&](int) { return values[random.below(6)]; });
}

template <int Dim>
BoxList<Dim> denormals(std::size_t n, Random& random) {
  const int most = 3 + 2 * static_cast<int>(side_of_cube<Dim>(n));
  return by_extents<Dim>(
      n,
      [&](auto, int) {
        return kDenormal * static_cast<float>(static_cast<int>(random.below(2 * most)) - most);
      },
      [&](auto, int) { return kDenormal * static_cast<float>(random.below(4)); });
}

// Bounds on the borders of a grid and one ulp to either side, for cells that floats hold exactly or not.
template <int Dim>
BoxList<Dim> ulps_around_cell_borders(std::size_t n, Random& random) {
  constexpr float cells[] = {1.0f, 0.1f, 0.35207206f, 1024.0f, 1.0f / 3.0f};
  const float cell = cells[random.below(5)];
  const int side = 1 + static_cast<int>(side_of_cube<Dim>(n));
  return by_corners<Dim>(n, [&, at = 0, corner = 0](int axis) mutable {
    // The second corner of a box lies at most one cell from the first.
    if (corner++ % 2 == 0)
      at = static_cast<int>(random.below(2 * static_cast<std::size_t>(side))) - side;
    else
      at += static_cast<int>(random.below(2));
    static_cast<void>(axis);
    return ulps_from(static_cast<float>(at) * cell, static_cast<int>(random.below(3)) - 1);
  });
}

template <int Dim>
BoxList<Dim> extents_to_half_the_range(std::size_t n, Random& random) {
  return by_extents<Dim>(
      n, [&](auto, int) { return random.uniform(-kMost / 2, 0); },
      [&](auto, int) { return random.one_in(3) ? kMost / 2 : random.uniform(0, kMost / 4); });
}

template <int Dim>
BoxList<Dim> whole_range_of_floats(std::size_t n, Random& random) {
  return by_corners<Dim>(n, [&](int) {
    switch (random.below(5)) {
      case 0:
        return -kMost;
      case 1:
        return kMost;
      case 2:
        return random.uniform(-1, 1);
      default:
        return random.uniform(-static_cast<double>(kMost), kMost);
    }
  });
}

template <int Dim>
BoxList<Dim> any_finite_bits(std::size_t n, Random& random) {
  return by_corners<Dim>(n, [&](int) { return random.any_finite(); });
}

// Points, rods and sheets on whole numbers: some coincide, some lie on a face of others.
template <int Dim>
BoxList<Dim> zero_extents(std::size_t n, Random& random) {
  const std::size_t side = 1 + side_of_cube<Dim>(n);
  return by_extents<Dim>(
      n, [&](auto, int) { return static_cast<float>(random.below(side)); },
      [&](auto, int) { return random.one_in(4) ? 1.0f : 0.0f; });
}

// Unit boxes on whole numbers, each a neighbour's face, edge or corner.
template <int Dim>
BoxList<Dim> exactly_touching(std::size_t n, Random& random) {
  const std::size_t side = 1 + side_of_cube<Dim>(2 * n);
  return by_extents<Dim>(
      n, [&](auto, int) { return static_cast<float>(random.below(side)); }, [](auto, int) { return 1.0f; });
}

// Few different values: ties everywhere.
template <int Dim>
BoxList<Dim> few_values(std::size_t n, Random& random) {
  return by_corners<Dim>(n, [&](int) { return static_cast<float>(random.below(5)); });
}

template <int Dim>
BoxList<Dim> nested(std::size_t n, Random&) {
  return by_extents<Dim>(
      n, [](std::size_t i, int) { return static_cast<float>(i); },
      [n](std::size_t i, int) { return static_cast<float>(2 * (n - i)); });
}

template <int Dim>
BoxList<Dim> coincident(std::size_t n, Random& random) {
  const float at = random.uniform(-10, 10);
  return by_extents<Dim>(
      n, [at](auto, int) { return at; }, [](auto, int) { return 1.0f; });
}

// A full lattice; neighbours touch, or a gap of one ulp parts them.
template <int Dim>
BoxList<Dim> lattice(std::size_t n, Random& random) {
  const std::size_t side = side_of_cube<Dim>(n);
  const float extent = random.one_in(2) ? 1.0f : ulps_from(1.0f, -1);
  return by_extents<Dim>(
      n, [side](std::size_t i, int axis) { return lattice_cell<Dim>(i, axis, side); },
      [extent](auto, int) { return extent; });
}

template <int Dim>
BoxList<Dim> line(std::size_t n, Random& random) {
  const int along = static_cast<int>(random.below(Dim));
  return by_extents<Dim>(
      n, [&](std::size_t i, int axis) { return axis == along ? static_cast<float>(i) * 0.75f : 5.0f; },
      [](auto, int) { return 1.0f; });
}

template <int Dim>
BoxList<Dim> diagonal(std::size_t n, Random& random) {
  return by_extents<Dim>(
      n, [](std::size_t i, int) { return static_cast<float>(i); },
      [&](auto, int) { return random.uniform(0.5, 1.5); });
}

template <int Dim>
BoxList<Dim> two_far_clusters(std::size_t n, Random& random) {
  const double world = static_cast<double>(side_of_cube<Dim>(n));
  return by_extents<Dim>(
      n, [&](std::size_t i, int) { return (i % 2 == 0 ? -1e6f : 1e6f) + random.uniform(0, world); },
      [&](auto, int) { return random.uniform(0.25, 1); });
}

template <int Dim>
BoxList<Dim> giant_over_tiny(std::size_t n, Random& random) {
  const double world = static_cast<double>(side_of_cube<Dim>(n));
  const std::size_t giant = n == 0 ? 0 : random.below(n);
  return by_extents<Dim>(
      n, [&](std::size_t i, int) { return i == giant ? -1.0f : random.uniform(0, world); },
      [&](std::size_t i, int) {
        return i == giant ? static_cast<float>(world) + 2.0f : random.uniform(0, 0.5);
      });
}

template <int Dim>
BoxList<Dim> sizes_over_six_decades(std::size_t n, Random& random) {
  const double world = 40.0 * static_cast<double>(side_of_cube<Dim>(n));
  return by_extents<Dim>(
      n, [&](auto, int) { return random.uniform(0, world); },
      [&](auto, int) { return static_cast<float>(std::pow(10.0, random.uniform(-4, 2))); });
}

// One far box stretches the world, so that all the others share one cell of any fixed grid or code.
template <int Dim>
BoxList<Dim> equal_morton_codes(std::size_t n, Random& random) {
  const double world = static_cast<double>(side_of_cube<Dim>(n));
  return by_extents<Dim>(
      n, [&](std::size_t i, int) { return i == 0 ? 3e12f : random.uniform(0, world); },
      [&](auto, int) { return random.uniform(0, 1); });
}

template <int Dim>
BoxList<Dim> overlapping_on_one_axis(std::size_t n, Random& random) {
  const int common = static_cast<int>(random.below(Dim));
  const double world = 2.0 * static_cast<double>(side_of_cube<Dim>(n));
  return by_extents<Dim>(
      n, [&](auto, int axis) { return axis == common ? random.uniform(-2, -1) : random.uniform(0, world); },
      [&](auto, int axis) { return axis == common ? 5.0f : random.uniform(0, 0.75); });
}

template <int Dim>
Box<Dim> moved(Box<Dim> box, const std::array<float, Dim>& by) {
  for (int axis = 0; axis < Dim; ++axis) {
    box.lo[axis] += by[axis];
    box.hi[axis] += by[axis];
  }
  return box;
}

template <int Dim>
std::array<float, Dim> random_step(Random& random, double most) {
  std::array<float, Dim> step;
  for (float& value : step) value = random.uniform(-most, most);
  return step;
}

template <int Dim>
using Frames = std::vector<BoxList<Dim>>;

// Frames of which each is made from the one before by change(boxes, frame number).
template <int Dim, class Change>
Frames<Dim> in_steps(BoxList<Dim> boxes, std::size_t count, Change change) {
  Frames<Dim> frames{boxes};
  for (std::size_t frame = 1; frame < count; ++frame) {
    change(boxes, frame);
    frames.push_back(boxes);
  }
  return frames;
}

template <int Dim>
Frames<Dim> at_rest(std::size_t n, Random& random) {
  return in_steps<Dim>(uniform<Dim>(n, random), 3, [](auto&, auto) {});
}

template <int Dim>
Frames<Dim> small_steps(std::size_t n, Random& random) {
  return in_steps<Dim>(uniform<Dim>(n, random), 6, [&](BoxList<Dim>& boxes, auto) {
    for (Box<Dim>& box : boxes) box = moved<Dim>(box, random_step<Dim>(random, 0.3));
  });
}

// Most rest, in the first frames all; then a few move, then others.
template <int Dim>
Frames<Dim> mostly_at_rest(std::size_t n, Random& random) {
  return in_steps<Dim>(uniform<Dim>(n, random), 8, [&](BoxList<Dim>& boxes, std::size_t frame) {
    for (Box<Dim>& box : boxes)
      if (frame > 2 && random.one_in(8)) box = moved<Dim>(box, random_step<Dim>(random, 1));
  });
}

template <int Dim>
Frames<Dim> teleports(std::size_t n, Random& random) {
  return in_steps<Dim>(uniform<Dim>(n, random), 6, [&](BoxList<Dim>& boxes, std::size_t frame) {
    if (frame == 3) {  // all of them, far away
      for (Box<Dim>& box : boxes) box = moved<Dim>(box, {4096, -4096});
    }
    for (Box<Dim>& box : boxes)
      if (random.one_in(4)) box = uniform<Dim>(1 + random.below(boxes.size()), random)[0];
  });
}

// Boxes swell until all meet, shrink to points, and come back.
template <int Dim>
Frames<Dim> swelling_and_shrinking(std::size_t n, Random& random) {
  const BoxList<Dim> start = uniform<Dim>(n, random);
  return in_steps<Dim>(start, 6, [&](BoxList<Dim>& boxes, std::size_t frame) {
    constexpr float margins[] = {0, 0.5f, 3, -100, 0, 1};
    for (std::size_t i = 0; i < n; ++i) {
      for (int axis = 0; axis < Dim; ++axis) {
        const float lo = start[i].lo[axis] - margins[frame], hi = start[i].hi[axis] + margins[frame];
        boxes[i].lo[axis] = std::min(lo, hi);
        boxes[i].hi[axis] = lo <= hi ? hi : boxes[i].lo[axis];
      }
    }
  });
}

// The number of boxes grows and shrinks, to none and back; ids of the gone are used again.
template <int Dim>
Frames<Dim> coming_and_going(std::size_t n, Random& random) {
  Frames<Dim> frames;
  for (const std::size_t count : {n, n + 1, 2 * n, n / 2, std::size_t{1}, n, std::size_t{0}, n / 3, 2 * n})
    frames.push_back(uniform<Dim>(count, random));
  return frames;
}

// The first half goes away, the rest moves up: every id means another box.
template <int Dim>
Frames<Dim> changing_ids(std::size_t n, Random& random) {
  return in_steps<Dim>(uniform<Dim>(n, random), 5, [&](BoxList<Dim>& boxes, std::size_t frame) {
    if (frame == 3)
      boxes.erase(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(boxes.size() / 2));
    else
      for (std::size_t i = 1; i < boxes.size(); ++i) std::swap(boxes[i], boxes[random.below(i + 1)]);
  });
}

// The same number of boxes, each frame in another layout, at another scale.
template <int Dim>
Frames<Dim> changing_layouts(std::size_t n, Random& random) {
  Frames<Dim> frames;
  for (const Layout<Dim>& layout : layouts<Dim>()) frames.push_back(layout.make(n, random));
  return frames;
}

// Neighbours touch, part by one ulp, and touch again.
template <int Dim>
Frames<Dim> touching_and_parting(std::size_t n, Random& random) {
  return in_steps<Dim>(lattice<Dim>(n, random), 5, [&](BoxList<Dim>& boxes, std::size_t) {
    for (Box<Dim>& box : boxes)
      for (int axis = 0; axis < Dim; ++axis)
        box.hi[axis] = ulps_from(box.lo[axis] + 1, -static_cast<int>(random.below(2)));
  });
}

}  // namespace

template <int Dim>
std::span<const Layout<Dim>> layouts() {
  static const std::vector<Layout<Dim>> all = {
      {"uniform", uniform<Dim>},
      {"signed_zeros", signed_zeros<Dim>},
      {"denormals", denormals<Dim>},
      {"ulps_around_cell_borders", ulps_around_cell_borders<Dim>},
      {"extents_to_half_the_range", extents_to_half_the_range<Dim>},
      {"whole_range_of_floats", whole_range_of_floats<Dim>},
      {"any_finite_bits", any_finite_bits<Dim>},
      {"zero_extents", zero_extents<Dim>},
      {"exactly_touching", exactly_touching<Dim>},
      {"few_values", few_values<Dim>},
      {"nested", nested<Dim>},
      {"coincident", coincident<Dim>},
      {"lattice", lattice<Dim>},
      {"line", line<Dim>},
      {"diagonal", diagonal<Dim>},
      {"two_far_clusters", two_far_clusters<Dim>},
      {"giant_over_tiny", giant_over_tiny<Dim>},
      {"sizes_over_six_decades", sizes_over_six_decades<Dim>},
      {"equal_morton_codes", equal_morton_codes<Dim>},
      {"overlapping_on_one_axis", overlapping_on_one_axis<Dim>},
  };
  return all;
}

std::span<const std::size_t> small_sizes() {
  static const std::vector<std::size_t> sizes = [] {
    std::vector<std::size_t> all(18);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t n : {31, 32, 33, 63, 64, 65, 127, 128, 129}) all.push_back(n);
    return all;
  }();
  return sizes;
}

template <int Dim>
std::vector<BadBox<Dim>> bad_boxes() {
  struct Bounds {
    const char* name;
    float lo, hi;
  };
  constexpr float quiet = std::numeric_limits<float>::quiet_NaN();
  constexpr float signalling = std::numeric_limits<float>::signaling_NaN();
  const Bounds bad_bounds[] = {
      {"quiet NaN below", quiet, 1},
      {"quiet NaN above", 0, quiet},
      {"signalling NaN below", signalling, 1},
      {"signalling NaN above", 0, signalling},
      {"NaN twice", quiet, quiet},
      {"infinity below", -kInfinity, 1},
      {"infinity above", 0, kInfinity},
      {"positive infinity twice", kInfinity, kInfinity},
      {"negative infinity twice", -kInfinity, -kInfinity},
      {"infinite both ways", -kInfinity, kInfinity},
      {"inverted", 1, 0},
      {"inverted by one ulp", ulps_from(1.0f, 1), 1},
      {"inverted by a denormal", kDenormal, 0},
      {"inverted over the whole range", kMost, -kMost},
  };
  std::vector<BadBox<Dim>> boxes;
  for (int axis = 0; axis < Dim; ++axis) {
    for (const Bounds& bounds : bad_bounds) {
      Box<Dim> box;
      box.lo.fill(0);
      box.hi.fill(1);
      box.lo[axis] = bounds.lo;
      box.hi[axis] = bounds.hi;
      boxes.push_back({std::string(bounds.name) + " on " + "xyz"[axis], box});
    }
  }
  return boxes;
}

template <int Dim>
std::span<const Motion<Dim>> motions() {
  static const std::vector<Motion<Dim>> all = {
      {"at_rest", at_rest<Dim>},
      {"small_steps", small_steps<Dim>},
      {"mostly_at_rest", mostly_at_rest<Dim>},
      {"teleports", teleports<Dim>},
      {"swelling_and_shrinking", swelling_and_shrinking<Dim>},
      {"coming_and_going", coming_and_going<Dim>},
      {"changing_ids", changing_ids<Dim>},
      {"changing_layouts", changing_layouts<Dim>},
      {"touching_and_parting", touching_and_parting<Dim>},
  };
  return all;
}

template std::span<const Layout<2>> layouts<2>();
template std::span<const Layout<3>> layouts<3>();
template std::vector<BadBox<2>> bad_boxes<2>();
template std::vector<BadBox<3>> bad_boxes<3>();
template std::span<const Motion<2>> motions<2>();
template std::span<const Motion<3>> motions<3>();

}  // namespace winnow::test
