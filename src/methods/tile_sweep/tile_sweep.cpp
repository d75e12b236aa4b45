// Our own method.
//   1 sample    where the boxes are, how large and how crowded                       sample
//   2 scatter   to tiles that stay in cache, quantised to 16 bits on each tile's own scale; a box that
//               straddles tiles goes to each of them                    tile_grid, scatter, quantise
//   3 columns   per tile: lay columns through it, copy each box to the columns it reaches, counting sort by
//               column and bin                                       column_layout, gather, columns
//   4 sweep     each copy against the range of copies after it                      sweep_columns
// Flags suppress duplicates of pairs that share several cells. Ties in quantised bounds are resolved with the
// original floats. Few boxes make a single tile. A tile too crowded for its columns is cut again. Tiles are
// independent, so threads take one each.
#include "winnow/methods/tile_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "algo/all_pairs.hpp"
#include "base/legal_box.hpp"
#include "exec/parallel_for_dynamic.hpp"
#include "methods/tile_sweep/tile_solver.hpp"
#include "winnow/validate.hpp"

namespace winnow {
namespace {

constexpr std::size_t kFewBoxes = 128;  // all are tested against all
constexpr std::size_t kTileBoxes = 12288;
constexpr std::size_t kOneTile = 20000;         // boxes that are not dealt out
constexpr std::size_t kCoarseTiles = 8;         // at least, when one scale is too coarse
constexpr std::size_t kScatterGrain = 1 << 12;  // boxes
constexpr std::size_t kTilesPerWorker = 4;      // at least, so that the last tiles do not hold up the rest,
constexpr std::size_t kLeastTile = 2048;        // unless they would hold fewer boxes than this

}  // namespace

template <int Dim>
struct TileSweep<Dim>::State {
  BoxesView<Dim> view;              // the last good boxes
  bool prepared = false;            // whether `level` holds them
  Buffer<Box<Dim>> gathered;        // copies, when the caller's lie otherwise
  const Box<Dim>* boxes = nullptr;  // the caller's or `gathered`
  Boxes<Dim> few;                   // columns of all boxes, when they are few
  tile_sweep::Level<Dim> level;
  std::vector<std::uint32_t> order;                  // in which tiles are solved
  std::vector<tile_sweep::TileSolver<Dim>> solvers;  // per worker

  bool prepare(BoxesView<Dim> view, Executor& executor);
  bool copy_few(BoxesView<Dim> view, Executor& executor);
  bool scatter(std::size_t n, Executor& executor);
};

namespace {

std::size_t tile_count(std::size_t n, std::size_t workers) {
  const std::size_t for_workers = workers == 1 ? 1 : std::min(kTilesPerWorker * workers, n / kLeastTile);
  return std::max(n / kTileBoxes + 1, for_workers);
}

// Tiles by estimated work, largest first, so that the last tiles to finish are small. The estimate is the
// number of pairs of that many boxes in that much space.
std::vector<std::uint32_t> by_work(const tile_sweep::TileList& tiles, const tile_sweep::TileGrid& grid) {
  std::vector<double> work;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const float* const per_unit = grid.scales[t].per_unit;
    const auto boxes = static_cast<double>(tiles[t].size);
    work.push_back(boxes * boxes * per_unit[0] * per_unit[1] * (per_unit[2] > 0 ? per_unit[2] : 1));
  }
  std::vector<std::uint32_t> order(tiles.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return work[a] > work[b]; });
  return order;
}

template <int Dim>
const Box<Dim>* plain_array(BoxesView<Dim> view, Executor& executor, Buffer<Box<Dim>>& gathered) {
  if (view.as_boxes() != nullptr && view.stride_bytes() == sizeof(Box<Dim>)) return view.as_boxes();
  gathered.resize_for_overwrite(view.size());
  parallel_for(executor, view.size(), kScatterGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) gathered[i] = view[i];
  });
  return gathered.data();
}

}  // namespace

// Steps 1 and 2. Returns false, with nothing prepared, when a box is bad.
template <int Dim>
bool TileSweep<Dim>::State::prepare(BoxesView<Dim> boxes_view, Executor& executor) {
  prepared = false;
  const std::size_t n = boxes_view.size();
  if (n <= kFewBoxes) {
    return prepared = copy_few(boxes_view, executor);
  }
  if (n > tile_sweep::kIdMask)
    throw Error("boxes", "boxes: tile_sweep takes at most " + std::to_string(tile_sweep::kIdMask));
  boxes = plain_array(boxes_view, executor, gathered);
  const std::size_t samples = std::min(n, std::clamp<std::size_t>(n / 256, 64, 4096));
  if (!level.sample.draw(boxes, n, samples)) return false;
  std::size_t tiles = n <= kOneTile ? 1 : tile_count(n, executor.workers());
  if (tile_sweep::too_coarse(level.sample)) tiles = std::max(tiles, kCoarseTiles);
  if (tiles > 1 && choose_grid(level.sample, tiles, level.grid)) {
    prepared = scatter(n, executor);
  } else {
    level.whole.resize_for_overwrite(n + tile_sweep::TileChunks::kChunk);
    prepared = tile_sweep::quantise<Dim>(boxes, nullptr, 0, n, whole_scale(level.sample), level.whole.data());
    level.tiles.assign_whole(level.whole.data(), n);
    order.assign(1, 0);
  }
  return prepared;
}

// Checks and copies in one pass: with so few boxes, starting another pass would cost more.
template <int Dim>
bool TileSweep<Dim>::State::copy_few(BoxesView<Dim> boxes_view, Executor& executor) {
  bool legal = true;
  few.resize(boxes_view.size());
  parallel_for(executor, few.size(), few.size(), [&](std::size_t, std::size_t end, std::size_t) {
    for (std::size_t i = 0; i < end; ++i) {
      const Box<Dim> box = boxes_view[i];
      legal &= is_legal(box);
      few.set(i, box);
    }
  });
  return legal;
}

template <int Dim>
bool TileSweep<Dim>::State::scatter(std::size_t n, Executor& executor) {
  level.chunks.resize(executor.workers());
  for (tile_sweep::TileChunks& chunks : level.chunks) chunks.clear(level.grid.tiles());
  std::atomic<bool> legal{true};
  parallel_for(executor, n, kScatterGrain, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    if (!tile_sweep::scatter_to_tiles<Dim>(boxes, nullptr, begin, end, level.grid, level.chunks[worker]))
      legal = false;
  });
  level.tiles.assign(level.chunks, level.grid.tiles());
  order = by_work(level.tiles, level.grid);
  return legal;
}

template <int Dim>
TileSweep<Dim>::TileSweep(const Options&) : state_(std::make_unique<State>()) {}
template <int Dim>
TileSweep<Dim>::TileSweep(TileSweep&&) noexcept = default;
template <int Dim>
TileSweep<Dim>& TileSweep<Dim>::operator=(TileSweep&&) noexcept = default;
template <int Dim>
TileSweep<Dim>::~TileSweep() = default;

template <int Dim>
MethodInfo TileSweep<Dim>::info() {
  return {.name = "tile_sweep",
          .summary = "tiles, replicated columns and a 16-bit sweep of many boxes at a time; for everything",
          .paper = ""};
}

template <int Dim>
void TileSweep<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  if (!state_->prepare(boxes, executor)) require_valid(boxes, executor);
  state_->view = boxes;
}

// Steps 3 and 4.
template <int Dim>
void TileSweep<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  State& state = *state_;
  if (!state.prepared) state.prepare(state.view, executor);  // after a refusal: the last good boxes
  if (state.view.size() <= kFewBoxes) return find_all_pairs(state.few, executor, sink);
  if (state.solvers.size() < executor.workers()) state.solvers.resize(executor.workers());
  for (auto& solver : state.solvers) solver.start(state.boxes);
  parallel_for_dynamic(executor, state.order.size(), [&](std::size_t i, std::size_t worker) {
    state.solvers[worker].solve(state.level.tiles[state.order[i]], sink.writer(worker));
  });
}

template <int Dim>
MethodStats TileSweep<Dim>::stats() const {
  if (state_->view.size() <= kFewBoxes)
    return {.candidates = all_pairs_count(state_->view.size()),
            .memory_bytes = state_->few.memory_bytes(),
            .details = {{"strategy", "all against all"}}};
  tile_sweep::TileStats sum;
  std::size_t memory = state_->gathered.memory_bytes() + state_->level.whole.memory_bytes();
  for (const tile_sweep::TileChunks& chunks : state_->level.chunks) memory += chunks.memory_bytes();
  for (const auto& solver : state_->solvers) {
    sum.add(solver.stats());
    memory += solver.memory_bytes();
  }
  const auto n = static_cast<double>(std::max<std::size_t>(1, state_->view.size()));
  const auto tiles = static_cast<double>(sum.tiles);
  return {.candidates = sum.tests,
          .memory_bytes = memory,
          .details = {{"tiles", tiles},
                      {"tile_copies_per_object", static_cast<double>(sum.boxes) / n},
                      {"column_copies_per_object", static_cast<double>(sum.copies) / n},
                      {"cells", static_cast<double>(sum.cells)},
                      {"refined_objects", static_cast<double>(sum.refined)},
                      {"depth", static_cast<double>(sum.depth)}}};
}

template class TileSweep<2>;
template class TileSweep<3>;

}  // namespace winnow
