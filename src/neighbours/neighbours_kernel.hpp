// Neighbours of the points of cells: candidates near a cell are gathered once, then each of its points looks
// at them all.
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

// Sorted points [begin, end) as candidates; may be none.
struct CandidateRange {
  std::uint32_t begin, end;
};

// An image, and where the ranges seen through it end; they begin where those of the image before end.
template <int Dim, class Real>
struct ImageRanges {
  const PeriodicImage<Dim, Real>* image;
  std::uint32_t end;
};

// Candidates near a cell, copied side by side; one worker's. Those of one image form a segment.
template <int Dim, class Real>
struct NearPoints {
  struct Segment {
    std::size_t begin, end;
    const PeriodicImage<Dim, Real>* image;
  };
  std::array<Buffer<Real>, Dim> x;
  Buffer<std::uint32_t> ids;
  std::size_t count = 0;
  std::vector<Segment> segments;  // if there are images that move
  // A vector's worth of points to look at: where they begin in the lower half, which of them are to be looked
  // at in the bits of the upper half.
  Buffer<std::uint64_t> steps;

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

// Cells one after the other in a row, and what to look at for each.
template <int Dim, class Real>
struct NeighbourCells {
  PointColumns<Dim, Real> queries;
  PointColumns<Dim, Real> points;
  // Cell c has the queries [begins[c], begins[c + 1]), one at least.
  const std::uint32_t* begins;
  std::size_t size;
  // Cell c has the ranges from c * stride on. All columns are readable kNeighbourSlack values past each.
  const CandidateRange* ranges;
  std::size_t stride;
  std::span<const ImageRanges<Dim, Real>> images;
  Real squared_radius;
  // Queries and points are the same columns, and the first image moves nothing: a cell's own points are
  // candidates in it too, though not in its ranges. No point lists itself there.
  bool self;
  bool half;  // of the cell's own points, a row has only later ones

  // Room that NearPoints and the output (per query) need for a cell.
  std::size_t most_candidates(std::size_t c) const {
    std::size_t most = begins[c + 1] - begins[c] + kNeighbourSlack * (1 + stride);
    for (const CandidateRange* range = ranges + c * stride; range != ranges + (c + 1) * stride; ++range)
      most += range->end - range->begin;
    return most;
  }
};

// Bounds of the points [begin, end), one at least.
template <int Dim, class Real>
void bounds_of_run(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end,
                   std::array<Real, Dim>& lo, std::array<Real, Dim>& hi);
template <int Dim, class Real>
void bounds_of_run_scalar(const PointColumns<Dim, Real>& points, std::size_t begin, std::size_t end,
                          std::array<Real, Dim>& lo, std::array<Real, Dim>& hi);

// Writes the neighbours of each query, and to row_ends[i] how many have been written when its row ends,
// counted from `written`. `near` and the output have room as most_candidates says. Returns the new count.
template <int Dim, class Real>
std::uint64_t neighbours_of_cells(const NeighbourCells<Dim, Real>& cells, NearPoints<Dim, Real>& near,
                                  const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                  std::uint64_t* row_ends);

// The scalar twin; writes the same in the same order.
template <int Dim, class Real>
std::uint64_t neighbours_of_cells_scalar(const NeighbourCells<Dim, Real>& cells,
                                         const NeighbourOutput<Dim, Real>& out, std::uint64_t written,
                                         std::uint64_t* row_ends);

}  // namespace winnow
