// CGAL (GPL): box_self_intersection_d, the hybrid of segment trees and sweeps by Zomorodian and Edelsbrunner.
// Boxes are passed by value, with traits of our own. Its manual advises to try the cutoff below which it
// scans, 10 by default: here 200 was best for thousands of boxes and 800 and more from 128,000 on.
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>

#include "bench/contender.hpp"

namespace winnow::bench {
namespace {

std::ptrdiff_t tuned_cutoff(std::size_t n) {
  return static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(n / 160, 200, 1600));
}

struct Entry {
  Box3 box;
  std::uint32_t id;
};

struct EntryTraits {
  using NT = float;
  using ID = std::uint32_t;
  using Box_parameter = const Entry&;
  static int dimension() { return 3; }
  static ID id(const Entry& entry) { return entry.id; }
  static NT min_coord(const Entry& entry, int axis) { return entry.box.lo[axis]; }
  static NT max_coord(const Entry& entry, int axis) { return entry.box.hi[axis]; }
};

class Cgal final : public Contender {
 public:
  using Cutoff = std::ptrdiff_t (*)(std::size_t n);  // boxes

  explicit Cgal(Cutoff cutoff) : cutoff_(cutoff) {}

  void update(std::span<const Box3> boxes) override {
    entries_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) entries_[i] = {boxes[i], static_cast<std::uint32_t>(i)};
  }
  void find_pairs(PairSink& pairs) override {
    pairs.open(1);
    PairWriter& writer = pairs.writer(0);
    CGAL::box_self_intersection_d(
        entries_.begin(), entries_.end(),
        [&](const Entry& a, const Entry& b) { writer.write(ordered_pair(a.id, b.id)); }, EntryTraits(),
        cutoff_(entries_.size()), CGAL::Box_intersection_d::CLOSED);
    pairs.close();
  }

 private:
  Cutoff cutoff_;
  std::vector<Entry> entries_;
};

const char* const kCgal = "CGAL " CGAL_STR(CGAL_VERSION) ", GPL";

const Peer tuned({.name = "cgal_boxes",
                  .summary = "CGAL::box_self_intersection_d, cutoff by the number of boxes, 200 to 1600",
                  .source = kCgal},
                 [](std::size_t) { return std::make_unique<Cgal>(tuned_cutoff); });
const Peer fixed({.name = "cgal_boxes_200",
                  .summary = "CGAL::box_self_intersection_d, cutoff 200 whatever the number of boxes",
                  .source = kCgal},
                 [](std::size_t) {
                   return std::make_unique<Cgal>([](std::size_t) -> std::ptrdiff_t { return 200; });
                 });

}  // namespace
}  // namespace winnow::bench
