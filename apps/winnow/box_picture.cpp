#include "box_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace winnow::cli {
namespace {

constexpr double kPictureWidth = 1000, kMargin = 30, kTitle = 40;  // pixels
constexpr std::size_t kMost = 50'000;                              // boxes drawn; more would choke a viewer

struct Point {
  double x, y;
};

using Corner = std::array<double, 3>;

// Nearly isometric: exactly so, a diagonal row would be seen end on.
Point projected(const Corner& c) {
  constexpr double kSin = 0.5, kCos = 0.8660254;            // turned by 30 degrees about z
  constexpr double kSinUp = 0.4226183, kCosUp = 0.9063078;  // seen from 25 degrees above
  return {c[1] * kSin - c[0] * kCos, (c[0] * kSin + c[1] * kCos) * kSinUp - c[2] * kCosUp};
}

// From scene to picture: everything inside, the same scale both ways.
class View {
 public:
  void include(Point p) {
    lo_ = {std::min(lo_.x, p.x), std::min(lo_.y, p.y)};
    hi_ = {std::max(hi_.x, p.x), std::max(hi_.y, p.y)};
  }
  void finish() {
    const double width = hi_.x - lo_.x, height = hi_.y - lo_.y;
    const double largest = std::max({width, height, 1e-30});
    scale_ = (kPictureWidth - 2 * kMargin) / largest;
  }
  double picture_width() const { return (hi_.x - lo_.x) * scale_ + 2 * kMargin; }
  double picture_height() const { return (hi_.y - lo_.y) * scale_ + 2 * kMargin + kTitle; }
  double units(double pixels) const { return pixels / scale_; }
  Point operator()(Point p) const {
    return {(p.x - lo_.x) * scale_ + kMargin, (p.y - lo_.y) * scale_ + kMargin + kTitle};
  }

 private:
  Point lo_{1e300, 1e300}, hi_{-1e300, -1e300};
  double scale_ = 1;
};

template <int Dim>
using Bounds = Box<Dim, double>;

// The box, or a dot in its place if it would be too small to see.
template <int Dim>
Bounds<Dim> visible(const Box<Dim>& box, const View& view) {
  constexpr double kDot = 2;  // pixels
  Bounds<Dim> drawn;
  double longest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    longest = std::max(longest, static_cast<double>(box.hi[axis]) - box.lo[axis]);
  const double grow = std::max(0.0, view.units(kDot) - longest) / 2;
  for (int axis = 0; axis < Dim; ++axis) {
    drawn.lo[axis] = box.lo[axis] - grow;
    drawn.hi[axis] = box.hi[axis] + grow;
  }
  return drawn;
}

using Face = std::array<Corner, 4>;

// The three faces one sees, top first.
std::array<Face, 3> near_faces(const Bounds<3>& b) {
  const auto& [x0, y0, z0] = b.lo;
  const auto& [x1, y1, z1] = b.hi;
  return {Face{Corner{x0, y0, z1}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z1}},
          Face{Corner{x1, y0, z0}, {x1, y1, z0}, {x1, y1, z1}, {x1, y0, z1}},
          Face{Corner{x0, y1, z0}, {x1, y1, z0}, {x1, y1, z1}, {x0, y1, z1}}};
}

// The three behind everything: floor and two walls.
std::array<Face, 3> far_faces(const Bounds<3>& b) {
  const auto& [x0, y0, z0] = b.lo;
  const auto& [x1, y1, z1] = b.hi;
  return {Face{Corner{x0, y0, z0}, {x1, y0, z0}, {x1, y1, z0}, {x0, y1, z0}},
          Face{Corner{x0, y0, z0}, {x0, y1, z0}, {x0, y1, z1}, {x0, y0, z1}},
          Face{Corner{x0, y0, z0}, {x1, y0, z0}, {x1, y0, z1}, {x0, y0, z1}}};
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else
      safe += c;
  }
  return safe;
}

class Svg {
 public:
  Svg(const View& view, const std::string& title) : view_(view) {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
        "<style>text{{font:18px sans-serif;fill:#333}}polygon,rect{{stroke-width:.4;stroke-linejoin:round}}"
        ".w{{fill:#f4f4f0;stroke:#ccc}}"
        ".a0{{fill:#dbe4ee;stroke:#8aa}}.a1{{fill:#b4c3d4;stroke:#8aa}}.a2{{fill:#93a6bb;stroke:#8aa}}"
        ".b0{{fill:#ffc58a;stroke:#b60}}.b1{{fill:#f59a45;stroke:#b60}}.b2{{fill:#d9762b;stroke:#b60}}"
        ".g{{fill:none;stroke:#b60;stroke-width:1.5}}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{2:.0f}\" y=\"28\">{3}</text>\n",
        view.picture_width(), view.picture_height(), kMargin, escaped(title));
  }
  void face(const Face& face, const std::string& style) {
    polygon({projected(face[0]), projected(face[1]), projected(face[2]), projected(face[3])}, style);
  }
  void polygon(const std::array<Point, 4>& corners, const std::string& style) {
    add("<polygon class=\"{}\" points=\"", style);
    for (const Point corner : corners) {
      const Point p = view_(corner);
      add("{:.1f},{:.1f} ", p.x, p.y);
    }
    text_ += "\"/>\n";
  }
  const View& view() const { return view_; }
  std::string finish() { return std::move(text_ += "</svg>\n"); }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  View view_;
  std::string text_;
};

// Every how many-th box is drawn: all, or as many as a viewer can take.
std::size_t stride(std::size_t boxes) { return std::max<std::size_t>(1, (boxes + kMost - 1) / kMost); }

std::vector<std::size_t> chosen(std::size_t boxes) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < boxes; i += stride(boxes)) indices.push_back(i);
  return indices;
}

// A box that would hide the others is drawn as a frame.
bool hides_others(const Bounds<3>& box, const Bounds<3>& world) {
  double share = 1;
  for (int axis = 0; axis < 3; ++axis)
    share *= (box.hi[axis] - box.lo[axis]) / std::max(world.hi[axis] - world.lo[axis], 1e-300);
  return share > 0.05;
}

void draw_boxes(Svg& svg, BoxesView<3> boxes, const Bounds<3>& world, const std::vector<bool>& overlapping) {
  for (const Face& face : far_faces(world)) svg.face(face, "w");
  std::vector<std::size_t> order = chosen(boxes.size());
  const auto nearness = [&](std::size_t i) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += static_cast<double>(boxes.lo(axis, i)) + boxes.hi(axis, i);
    return sum;
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return nearness(a) < nearness(b); });
  for (const std::size_t i : order) {
    const Bounds<3> box = visible(boxes[i], svg.view());
    const bool frame = boxes.size() > 1 && hides_others(box, world);
    const char* const colour = overlapping[i] ? "b" : "a";
    int shade = 0;
    for (const Face& face : near_faces(box))
      svg.face(face, frame ? "g" : fmt::format("{}{}", colour, shade++));
  }
}

void draw_boxes(Svg& svg, BoxesView<2> boxes, const Bounds<2>&, const std::vector<bool>& overlapping) {
  std::vector<std::size_t> order = chosen(boxes.size());
  const auto area = [&](std::size_t i) {
    return (static_cast<double>(boxes.hi(0, i)) - boxes.lo(0, i)) *
           (static_cast<double>(boxes.hi(1, i)) - boxes.lo(1, i));
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return area(a) > area(b); });
  for (const std::size_t i : order) {
    const Bounds<2> box = visible(boxes[i], svg.view());
    svg.polygon({Point{box.lo[0], -box.lo[1]},
                 {box.hi[0], -box.lo[1]},
                 {box.hi[0], -box.hi[1]},
                 {box.lo[0], -box.hi[1]}},
                overlapping[i] ? "b0" : "a0");
  }
}

View view_of(const Bounds<3>& world) {
  View view;
  for (const auto& faces : {near_faces(world), far_faces(world)})
    for (const Face& face : faces)
      for (const Corner& corner : face) view.include(projected(corner));
  view.finish();
  return view;
}

View view_of(const Bounds<2>& world) {
  View view;
  view.include({world.lo[0], -world.hi[1]});
  view.include({world.hi[0], -world.lo[1]});
  view.finish();
  return view;
}

}  // namespace

template <int Dim>
void PictureBounds<Dim>::include(BoxesView<Dim> boxes) {
  for (int axis = 0; axis < Dim; ++axis) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      box.lo[axis] = std::min<double>(box.lo[axis], boxes.lo(axis, i));
      box.hi[axis] = std::max<double>(box.hi[axis], boxes.hi(axis, i));
    }
  }
}

template <int Dim>
std::string box_picture(BoxesView<Dim> boxes, const PictureBounds<Dim>& bounds,
                        const std::vector<bool>& overlapping, const std::string& title) {
  const std::size_t step = stride(boxes.size());
  Svg svg(view_of(bounds.box), step == 1 ? title : fmt::format("{} (one in {} drawn)", title, step));
  draw_boxes(svg, boxes, bounds.box, overlapping);
  return svg.finish();
}

template struct PictureBounds<2>;
template struct PictureBounds<3>;
template std::string box_picture<2>(BoxesView<2>, const PictureBounds<2>&, const std::vector<bool>&,
                                    const std::string&);
template std::string box_picture<3>(BoxesView<3>, const PictureBounds<3>&, const std::vector<bool>&,
                                    const std::string&);

}  // namespace winnow::cli
