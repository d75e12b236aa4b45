#include "queries/cell_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace winnow {
namespace {

constexpr std::size_t kChunk = 2048;  // queries; their neighbours fit the second-level cache

template <int Dim, class Real>
Bounds<Dim, Real> bounds_of(const SortedPoints<Dim, Real>& points, std::size_t begin, std::size_t end) {
  const PointColumns<Dim, Real> columns = points.columns();
  Bounds<Dim, Real> bounds;
  for (int axis = 0; axis < Dim; ++axis) bounds.lo[axis] = bounds.hi[axis] = columns.x[axis][begin];
  for (std::size_t i = begin + 1; i < end; ++i) {
    for (int axis = 0; axis < Dim; ++axis) {
      const Real x = columns.x[axis][i];
      bounds.lo[axis] = x < bounds.lo[axis] ? x : bounds.lo[axis];
      bounds.hi[axis] = x > bounds.hi[axis] ? x : bounds.hi[axis];
    }
  }
  return bounds;
}

}  // namespace

// With u the rounding unit, a computed distance within the radius means a true one within (1 + 2u) of it; (1
// + 8u) leaves room for the rounding of the reach itself. Through an image, coordinates are rounded once more
// where they lie.
template <int Dim, class Real>
Reach<Dim, Real>::Reach(Real radius_, const Bounds<Dim, Real>& queries, const Bounds<Dim, Real>& points,
                        const std::array<double, Dim>& period)
    : radius(radius_), images(1), bounds(points) {
  constexpr Real unit = std::numeric_limits<Real>::epsilon() / 2;
  std::array<int, Dim> most{};
  for (int axis = 0; axis < Dim; ++axis) {
    plain[axis] = radius * (1 + 8 * unit);
    moved[axis] = plain[axis];
    if (period[axis] == 0) continue;
    const double length = period[axis];
    const double span = std::max<double>(queries.hi[axis], points.hi[axis]) -
                        std::min<double>(queries.lo[axis], points.lo[axis]);
    most[axis] = static_cast<int>((plain[axis] + span) / length) + 1;
    const double coordinate = std::max(
        {std::abs(static_cast<double>(queries.lo[axis])), std::abs(static_cast<double>(queries.hi[axis])),
         std::abs(static_cast<double>(points.lo[axis])), std::abs(static_cast<double>(points.hi[axis]))});
    moved[axis] =
        static_cast<Real>(plain[axis] + 8 * unit * (coordinate + most[axis] * length + plain[axis]));
  }
  // All shifts but the first, which moves nothing and stands in front.
  std::array<int, Dim> shift;
  for (int axis = 0; axis < Dim; ++axis) shift[axis] = -most[axis];
  for (;;) {
    PeriodicImage<Dim, Real> image;
    for (int axis = 0; axis < Dim; ++axis) {
      image.shift[axis] = static_cast<std::int8_t>(shift[axis]);
      image.move[axis] = static_cast<Real>(shift[axis] * period[axis]);
    }
    if (image.shift != ImageShift<Dim>{}) images.push_back(image);
    int axis = 0;
    while (axis < Dim && shift[axis] == most[axis]) {
      shift[axis] = -most[axis];
      ++axis;
    }
    if (axis == Dim) break;
    ++shift[axis];
  }
}

template <int Dim, class Real>
struct CellSearch<Dim, Real>::Job {
  const SortedPoints<Dim, Real>& queries;
  const SortedPoints<Dim, Real>& points;
  const CellGrid<Dim, Real>& grid;
  const Reach<Dim, Real>& reach;
  bool self, half;
  RowWriter<Dim, Real>& writer;
  std::uint64_t* row_ends;

  // Cells along an axis where points near queries between lo and hi lie, seen through an image.
  struct Range {
    std::int32_t first, last;
  };
  Range near_cells(int axis, Real lo, Real hi, const PeriodicImage<Dim, Real>& image) const {
    const bool moves = image.move[axis] != 0;
    const Real far = moves ? reach.moved[axis] : reach.plain[axis];
    const Real from = (moves ? lo - image.move[axis] : lo) - far,
               to = (moves ? hi - image.move[axis] : hi) + far;
    if (to < reach.bounds.lo[axis] || from > reach.bounds.hi[axis]) return {0, -1};
    return {grid.cell(axis, from), grid.cell(axis, to)};
  }

  void find_rows(std::size_t first, std::size_t last, Worker& worker,
                 typename RowWriter<Dim, Real>::Chunk& chunk) const {
    for (std::size_t row = first; row < last; ++row) {
      find_near_rows(row, worker);
      for (std::size_t c = queries.row(row).first_cell; c < queries.row(row + 1).first_cell; ++c)
        find_cell(queries.cell_begin(c), queries.cell_begin(c + 1), worker, chunk);
    }
  }

  // Rows of points near a row of queries, image by image.
  void find_near_rows(std::size_t row, Worker& worker) const {
    const std::size_t begin = queries.row_begin(row), end = queries.row_begin(row + 1);
    const Bounds<Dim, Real> bounds = bounds_of(queries, begin, end);
    worker.rows.clear();
    std::size_t hint = 0;
    for (const auto& image : reach.images) {
      std::array<Range, Dim> cells;
      bool any = true;
      for (int axis = 0; axis < Dim; ++axis) {
        cells[axis] = near_cells(axis, bounds.lo[axis], bounds.hi[axis], image);
        any &= cells[axis].first <= cells[axis].last;
      }
      if (!any) continue;
      const std::uint64_t rows_y = static_cast<std::uint64_t>(grid.cells(1));
      const Range layers = Dim == 3 ? cells[Dim - 1] : Range{0, 0};
      for (std::int32_t z = layers.first; z <= layers.last; ++z) {
        if (worker.hints.size() <= hint) worker.hints.push_back(0);
        add_rows(static_cast<std::uint64_t>(z) * rows_y + static_cast<std::uint64_t>(cells[1].first),
                 static_cast<std::uint64_t>(z) * rows_y + static_cast<std::uint64_t>(cells[1].last), image,
                 worker.hints[hint++], worker.rows);
      }
    }
  }

  // Rows with keys in [first, last]. The hint is where this search ended for the row before, mostly a step or
  // two away.
  void add_rows(std::uint64_t first, std::uint64_t last, const PeriodicImage<Dim, Real>& image,
                std::size_t& hint, std::vector<NearRow>& near) const {
    std::size_t row = hint;
    if (row >= points.rows() || points.row(row).key > first) row = 0;
    for (int steps = 0; steps < 8 && points.row(row).key < first; ++steps) ++row;
    if (points.row(row).key < first) {
      std::size_t end = points.rows();
      while (row < end) {
        const std::size_t middle = row + (end - row) / 2;
        if (points.row(middle).key < first)
          row = middle + 1;
        else
          end = middle;
      }
    }
    hint = row;
    for (; row < points.rows() && points.row(row).key <= last; ++row)
      near.push_back(
          {&image, points.row(row).first_cell, points.row(row).first_cell, points.row(row + 1).first_cell});
  }

  void find_cell(std::size_t begin, std::size_t end, Worker& worker,
                 typename RowWriter<Dim, Real>::Chunk& chunk) const {
    const Bounds<Dim, Real> bounds = bounds_of(queries, begin, end);
    worker.ranges.clear();
    const PeriodicImage<Dim, Real>* image = nullptr;
    Range cells{};
    for (NearRow& row : worker.rows) {
      if (row.image != image) cells = near_cells(0, bounds.lo[0], bounds.hi[0], *row.image);
      image = row.image;
      if (cells.first > cells.last) continue;
      // Cells of a row come in order, and so do both ends of the ranges they look at.
      while (row.first < row.end && points.cell_x(row.first) < static_cast<std::uint32_t>(cells.first))
        ++row.first;
      while (row.past < row.end && points.cell_x(row.past) <= static_cast<std::uint32_t>(cells.last))
        ++row.past;
      if (row.first < row.past)
        add_range(points.cell_begin(row.first), points.cell_begin(row.past), begin, end, image,
                  worker.ranges);
    }
    const NeighbourCell<Dim, Real> cell{.queries = queries.columns(),
                                        .begin = begin,
                                        .end = end,
                                        .lo = bounds.lo,
                                        .hi = bounds.hi,
                                        .points = points.columns(),
                                        .ranges = worker.ranges,
                                        .home = &reach.images.front(),
                                        .squared_radius = reach.radius * reach.radius,
                                        .self = self,
                                        .half = half};
    const std::size_t candidates = most_candidates(cell);
    worker.near.reserve(candidates);
    const auto out = writer.reserve(chunk, candidates * (end - begin));
    chunk.end = neighbours_of_cell(cell, worker.near, out, chunk.end, row_ends);
  }

  // Among the points themselves, the cell's own points [begin, end) are the kernel's business; half lists
  // look only ahead.
  void add_range(std::size_t from, std::size_t to, std::size_t begin, std::size_t end,
                 const PeriodicImage<Dim, Real>* image,
                 std::vector<CandidateRange<Dim, Real>>& ranges) const {
    if (self && image == &reach.images.front()) {
      if (half) {
        from = std::max(from, end);
      } else if (from < end && begin < to) {
        if (from < begin) ranges.push_back({from, begin, image});
        from = end;
      }
    }
    if (from < to) ranges.push_back({from, to, image});
  }
};

template <int Dim, class Real>
void CellSearch<Dim, Real>::run(const SortedPoints<Dim, Real>& queries, const SortedPoints<Dim, Real>& points,
                                const CellGrid<Dim, Real>& grid, const Reach<Dim, Real>& reach, bool self,
                                bool half, bool distances, Executor& executor, Neighbours<Dim, Real>& lists) {
  std::vector<std::size_t> chunk_rows{0};  // each chunk's first row
  for (std::size_t row = 0; row < queries.rows(); ++row)
    if (queries.row_begin(row + 1) - queries.row_begin(chunk_rows.back()) >= kChunk)
      chunk_rows.push_back(row + 1);
  if (chunk_rows.back() != queries.rows()) chunk_rows.push_back(queries.rows());
  const std::size_t chunks = chunk_rows.size() - 1;

  writer_.open(queries.size(), chunks, distances, reach.images.size() > 1, lists);
  workers_.resize(std::max(workers_.size(), executor.workers()));
  const Job job{queries, points, grid, reach, self, half, writer_, lists.offsets.data() + 1};
  std::atomic<std::size_t> next{0};
  // One body per worker, each taking the next chunk in order, so that finished chunks rarely wait for earlier
  // ones.
  parallel_for(executor, executor.workers(), 1, [&](std::size_t, std::size_t, std::size_t worker) {
    for (std::size_t number; (number = next.fetch_add(1)) < chunks;) {
      auto chunk = writer_.take(number);
      job.find_rows(chunk_rows[number], chunk_rows[number + 1], workers_[worker], *chunk);
      chunk->first_row = queries.row_begin(chunk_rows[number]);
      chunk->last_row = queries.row_begin(chunk_rows[number + 1]);
      writer_.commit(number, std::move(chunk));
    }
  });
  writer_.close();
}

#define WINNOW_INSTANTIATE(Dim, Real) \
  template struct Reach<Dim, Real>;   \
  template class CellSearch<Dim, Real>;
WINNOW_INSTANTIATE(2, float)
WINNOW_INSTANTIATE(3, float)
WINNOW_INSTANTIATE(2, double)
WINNOW_INSTANTIATE(3, double)
#undef WINNOW_INSTANTIATE

}  // namespace winnow
