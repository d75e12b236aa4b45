// CGAL (GPL): box_self_intersection_d, the hybrid of segment trees and sweeps by Zomorodian and Edelsbrunner.
// Boxes are passed by value, with traits of our own, and the cutoff below which it scans is raised from its
// default 10, as its manual advises to try: 200 to 1000 is about three times faster here.
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include "bench/candidate.hpp"

namespace winnow::bench {
namespace {

constexpr std::ptrdiff_t kCutoff = 200;  // boxes

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

class Cgal final : public Candidate {
 public:
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
        kCutoff, CGAL::Box_intersection_d::CLOSED);
    pairs.close();
  }

 private:
  std::vector<Entry> entries_;
};

const Peer cgal({.name = "cgal_boxes",
                 .summary = "CGAL::box_self_intersection_d, cutoff 200",
                 .source = "CGAL " CGAL_STR(CGAL_VERSION) ", GPL"},
                [](std::size_t) { return std::make_unique<Cgal>(); });

}  // namespace
}  // namespace winnow::bench
