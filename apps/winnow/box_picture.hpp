// Boxes as an SVG picture: in 3D seen from +x, +y and above with z upward, in parallel; plain in 2D.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "winnow/boxes.hpp"

namespace winnow::cli {

// The part of the world that is shown.
template <int Dim>
struct PictureBounds {
  Box<Dim, double> box = none();

  void include(BoxesView<Dim> boxes);

 private:
  static Box<Dim, double> none() {
    Box<Dim, double> empty;
    empty.lo.fill(std::numeric_limits<double>::infinity());
    empty.hi.fill(-std::numeric_limits<double>::infinity());
    return empty;
  }
};

template <int Dim>
std::string box_picture(BoxesView<Dim> boxes, const PictureBounds<Dim>& bounds,
                        const std::vector<bool>& overlapping, const std::string& title);

}  // namespace winnow::cli
