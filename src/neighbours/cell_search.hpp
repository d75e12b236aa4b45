// Neighbours by sorted cells: each cell's points share their candidates, which lie in a few runs of
// neighbouring rows.
#pragma once

#include <vector>

#include "neighbours/cell_grid.hpp"
#include "neighbours/neighbours_kernel.hpp"
#include "neighbours/row_writer.hpp"
#include "neighbours/sorted_points.hpp"

namespace winnow {

// How far to look, and through which images.
template <int Dim, class Real>
struct Reach {
  Real radius;
  std::array<Real, Dim> plain;  // a little more than the radius, so that rounding loses nobody
  std::array<Real, Dim> moved;  // the same for points seen through an image
  std::vector<PeriodicImage<Dim, Real>> images;  // the first moves nothing
  Bounds<Dim, Real> bounds;                      // of the points looked at

  Reach(Real radius, const Bounds<Dim, Real>& queries, const Bounds<Dim, Real>& points,
        const std::array<double, Dim>& period);

  // The image that moves the other way.
  std::uint32_t opposite(std::uint32_t image) const {
    return image == 0 ? 0 : static_cast<std::uint32_t>(images.size()) - image;
  }
};

template <int Dim, class Real>
class CellSearch {
 public:
  // Rows of `lists` are the queries in their sorted order. `self`: queries and points are one.
  void run(const SortedPoints<Dim, Real>& queries, const SortedPoints<Dim, Real>& points,
           const CellGrid<Dim, Real>& grid, const Reach<Dim, Real>& reach, bool self, bool half,
           bool distances, Executor& executor, Neighbours<Dim, Real>& lists);

  std::size_t memory_bytes() const { return writer_.memory_bytes(); }

 private:
  // A row of points near the row of queries at hand.
  struct NearRow {
    const PeriodicImage<Dim, Real>* image;
    std::uint32_t first, past;  // its cells near the last cell of queries
    std::uint32_t end;
    bool own;  // it is the row of queries itself
  };
  // Cells along x near a cell of queries.
  struct Window {
    std::int32_t first, last;
  };
  struct Worker {
    NearPoints<Dim, Real> near;
    std::vector<NearRow> rows;
    std::vector<ImageRanges<Dim, Real>> images;
    std::vector<Window> windows;    // of a block of cells
    Buffer<CandidateRange> ranges;  // of a block of cells, `stride` for each
    std::vector<std::size_t> hints;
  };
  struct Job;

  RowWriter<Dim, Real> writer_;
  std::vector<Worker> workers_;
};

}  // namespace winnow
