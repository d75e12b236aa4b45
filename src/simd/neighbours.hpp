// Neighbours of the points of one cell: candidates near the cell are gathered once, then each point looks at
// them all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "winnow/buffer.hpp"
#include "winnow/points.hpp"

namespace winnow {

inline constexpr std::size_t kNeighbourSlack = 16;  // values read or written past the end of a run

template <int Dim, class Real>
struct PointColumns {
  std::array<const Real*, Dim> x;
  const std::uint32_t* ids;
};

// A periodic image of the points: all of them moved by `move`.
template <int Dim, class Real>
struct PeriodicImage {
  std::array<Real, Dim> move{};
  ImageShift<Dim> shift{};
};

// Sorted points [begin, end) as candidates, seen in an image.
template <int Dim, class Real>
struct CandidateRange {
  std::size_t begin, end;
  const PeriodicImage<Dim, Real>* image;
};

// Candidates near a cell, copied side by side; one worker's. Those of one image form a segment.
template <int Dim, class Real>
struct NearPoints {
  struct Segment {
    std::size_t begin, end;
    const PeriodicImage<Dim, Real>* image;
  };
  // A vector's worth of points to look at: from `begin` on, those whose bits are set.
  struct Step {
    std::uint32_t begin, kept;
  };
  std::array<Buffer<Real>, Dim> x;
  Buffer<std::uint32_t> ids;
  std::vector<Segment> segments;
  Buffer<Step> steps;

  void reserve(std::size_t size) {
    for (Buffer<Real>& column : x) column.resize_for_overwrite(size);
    ids.resize_for_overwrite(size);
    steps.resize_for_overwrite(size);
  }
};

// Where neighbours are written, one row after the other. What is not asked for is null.
template <int Dim, class Real>
struct NeighbourOutput {
  std::uint32_t* ids;
  Real* squared_distances;
  ImageShift<Dim>* shifts;
};

// One cell's work.
template <int Dim, class Real>
struct NeighbourCell {
  PointColumns<Dim, Real> queries;
  std::size_t begin, end;        // the cell's queries
  std::array<Real, Dim> lo, hi;  // their bounds
  PointColumns<Dim, Real> points;
  // Grouped by image, `home` first, which moves nothing. Columns are readable kNeighbourSlack values past
  // each range.
  std::span<const CandidateRange<Dim, Real>> ranges;
  const PeriodicImage<Dim, Real>* home;
  Real squared_radius;
  // Queries and points are the same columns: the cell's own points are candidates too, and are not in the
  // ranges at home. No point lists itself there.
  bool self;
  bool half;  // of the cell's own points, a row has only later ones
};

// Room that `near` and the output (per query) need for a cell.
template <int Dim, class Real>
std::size_t most_candidates(const NeighbourCell<Dim, Real>& cell) {
  std::size_t most = cell.end - cell.begin + kNeighbourSlack;
  for (const auto& range : cell.ranges) most += range.end - range.begin + kNeighbourSlack;
  return most;
}

// Writes the neighbours of each query, and to row_ends[i] how many have been written when its row ends,
// counted from `written`. `near` and the output have room as most_candidates says. Returns the new count.
template <int Dim, class Real>
std::uint64_t neighbours_of_cell(const NeighbourCell<Dim, Real>& cell, NearPoints<Dim, Real>& near,
                                 const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                 std::uint64_t* row_ends);

// The scalar twin; writes the same in the same order.
template <int Dim, class Real>
std::uint64_t neighbours_of_cell_scalar(const NeighbourCell<Dim, Real>& cell,
                                        const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                        std::uint64_t* row_ends);

}  // namespace winnow
