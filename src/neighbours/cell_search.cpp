#include "neighbours/cell_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/parallel_for_dynamic.hpp"

namespace winnow {
namespace {

constexpr std::size_t kChunk = 2048;  // queries; their neighbours fit the second-level cache

// Cells whose ranges are found at once: row by row that is a simple loop, and the ranges stay in the cache.
constexpr std::size_t kBlock = 64;
constexpr std::size_t kRoom = 32 * 1024;  // neighbours that cells given to the kernel at once may have

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

  // Cells along an axis where points near queries between lo and hi lie, seen through an image. Both ends
  // grow with lo and hi; where there are none, they lie beside all cells.
  Window near_cells(int axis, Real lo, Real hi, const PeriodicImage<Dim, Real>& image) const {
    const bool moves = image.move[axis] != 0;
    const Real far = moves ? reach.moved[axis] : reach.plain[axis];
    const Real from = (moves ? lo - image.move[axis] : lo) - far,
               to = (moves ? hi - image.move[axis] : hi) + far;
    if (to < reach.bounds.lo[axis]) return {0, -1};
    if (from > reach.bounds.hi[axis]) return {grid.cells(axis), grid.cells(axis) - 1};
    return {grid.cell(axis, from), grid.cell(axis, to)};
  }

  void find_rows(std::size_t first, std::size_t last, Worker& worker,
                 typename RowWriter<Dim, Real>::Chunk& chunk) const {
    for (std::size_t row = first; row < last; ++row) {
      find_near_rows(row, worker);
      const std::size_t end = queries.row(row + 1).first_cell;
      for (std::size_t block = queries.row(row).first_cell; block < end; block += kBlock)
        find_block(block, std::min(block + kBlock, end), worker, chunk);
    }
  }

  // Rows of points near a row of queries, image by image.
  void find_near_rows(std::size_t row, Worker& worker) const {
    Bounds<Dim, Real> bounds;
    bounds_of_run<Dim, Real>(queries.columns(), queries.row_begin(row), queries.row_begin(row + 1), bounds.lo,
                             bounds.hi);
    worker.rows.clear();
    worker.images.clear();
    std::size_t hint = 0;
    for (const auto& image : reach.images) {
      std::array<Window, Dim> cells;
      bool any = true;
      for (int axis = 0; axis < Dim; ++axis) {
        cells[axis] = near_cells(axis, bounds.lo[axis], bounds.hi[axis], image);
        any &= cells[axis].first <= cells[axis].last;
      }
      if (!any) continue;
      const std::size_t before = worker.rows.size();
      const std::uint64_t rows_y = static_cast<std::uint64_t>(grid.cells(1));
      const Window layers = Dim == 3 ? cells[Dim - 1] : Window{0, 0};
      for (std::int32_t z = layers.first; z <= layers.last; ++z) {
        if (worker.hints.size() <= hint) worker.hints.push_back(0);
        add_rows(static_cast<std::uint64_t>(z) * rows_y + static_cast<std::uint64_t>(cells[1].first),
                 static_cast<std::uint64_t>(z) * rows_y + static_cast<std::uint64_t>(cells[1].last), image,
                 row, worker.hints[hint++], worker.rows);
      }
      // A cell splits its own row's range in two.
      if (worker.rows.size() != before)
        worker.images.push_back({&image, static_cast<std::uint32_t>(worker.rows.size() + self)});
    }
  }

  // Rows with keys in [first, last]. The hint is where this search ended for the row before, mostly a step or
  // two away. Half lists look only ahead.
  void add_rows(std::uint64_t first, std::uint64_t last, const PeriodicImage<Dim, Real>& image,
                std::size_t own, std::size_t& hint, std::vector<NearRow>& near) const {
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
    const bool home = self && &image == &reach.images.front();
    for (; row < points.rows() && points.row(row).key <= last; ++row) {
      if (half && row < own) continue;
      const std::uint32_t begin = points.row(row).first_cell, end = points.row(row + 1).first_cell;
      near.push_back({&image, begin, begin, end, home && row == own});
    }
  }

  // Neighbours of the queries of the cells [first, last), which are in one row.
  void find_block(std::size_t first, std::size_t last, Worker& worker,
                  typename RowWriter<Dim, Real>::Chunk& chunk) const {
    const std::size_t stride = worker.rows.size() + self;
    worker.ranges.resize_for_overwrite(stride * (last - first));
    CandidateRange* ranges = worker.ranges.data();
    const PeriodicImage<Dim, Real>* image = nullptr;
    for (NearRow& row : worker.rows) {
      if (row.image != image) find_windows(first, last, *row.image, worker.windows);
      image = row.image;
      find_ranges(first, last, worker.windows.data(), row, ranges, stride);
      ranges += row.own ? 2 : 1;
    }
    find_cells({.queries = queries.columns(),
                .points = points.columns(),
                .begins = queries.cell_begins() + first,
                .size = last - first,
                .ranges = worker.ranges.data(),
                .stride = stride,
                .images = worker.images,
                .squared_radius = reach.radius * reach.radius,
                .self = self,
                .half = half},
               worker, chunk);
  }

  void find_windows(std::size_t first, std::size_t last, const PeriodicImage<Dim, Real>& image,
                    std::vector<Window>& windows) const {
    windows.clear();
    const Real* x = queries.x(0);
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t begin = queries.cell_begins()[c], end = queries.cell_begins()[c + 1];
      Real lo = x[begin], hi = lo;
      for (std::size_t i = begin + 1; i < end; ++i) {
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
      }
      windows.push_back(near_cells(0, lo, hi, image));
    }
  }

  // The points of a near row within each cell's window. Cells come in order, and so do both ends of their
  // windows. A cell's own points are the kernel's business.
  void find_ranges(std::size_t first, std::size_t last, const Window* windows, NearRow& row,
                   CandidateRange* ranges, std::size_t stride) const {
    const std::uint32_t* const begins = points.cell_begins();
    const std::int32_t* const x = points.cell_x();
    std::size_t from = row.first, past = row.past;
    const std::size_t end = row.end;
    for (std::size_t c = first; c < last; ++c, ++windows, ranges += stride) {
      while (from < end && x[from] < windows->first) ++from;
      while (past < end && x[past] <= windows->last) ++past;
      ranges[0] = {begins[from], begins[past]};
      if (row.own) {
        ranges[1] = {begins[c + 1], begins[past]};
        ranges[0].end = half ? begins[from] : begins[c];
      }
    }
    row.first = static_cast<std::uint32_t>(from);
    row.past = static_cast<std::uint32_t>(past);
  }

  // As many cells at once as need little room for all that they might find.
  void find_cells(NeighbourCells<Dim, Real> cells, Worker& worker,
                  typename RowWriter<Dim, Real>::Chunk& chunk) const {
    for (std::size_t left = cells.size; left != 0; left -= cells.size) {
      std::size_t most = 0, room = 0;
      for (cells.size = 0; cells.size < left && room < kRoom; ++cells.size) {
        const std::size_t candidates = cells.most_candidates(cells.size);
        most = std::max(most, candidates);
        room += candidates * (cells.begins[cells.size + 1] - cells.begins[cells.size]);
      }
      worker.near.reserve(most);
      const auto out = writer.reserve(chunk, cells.begins[0], room);
      chunk.end = neighbours_of_cells(cells, worker.near, out, chunk.end, row_ends);
      cells.begins += cells.size;
      cells.ranges += cells.size * cells.stride;
    }
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

  writer_.open(queries.size(), chunks, executor.workers(), distances, reach.images.size() > 1, lists);
  workers_.resize(std::max(workers_.size(), executor.workers()));
  const Job job{queries, points, grid, reach, self, half, writer_, lists.offsets.data() + 1};
  // In turn, so that finished chunks rarely wait for earlier ones.
  parallel_for_dynamic(executor, chunks, [&](std::size_t number, std::size_t worker) {
    const std::size_t first = chunk_rows[number], last = chunk_rows[number + 1];
    try {
      auto chunk = writer_.take(number, queries.row_begin(first), queries.row_begin(last));
      if (chunk == nullptr) return;
      job.find_rows(first, last, workers_[worker], *chunk);
      writer_.commit(std::move(chunk));
    } catch (...) {
      writer_.give_up();  // else the others might wait for this one's chunk
      throw;
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
