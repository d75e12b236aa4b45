// Poirrier 2009. 1 choose the interest space and the bits of each axis (7.3)  2 code the corners of each box
// (5.2, 5.3)  3 split at crossed planes, once for each axis (4)  4 sort by code, prefixes first (5.4)  5
// sweep: every piece meets the pieces whose cell contains its own (5.5)  6 test their boxes; report a pair
// only where the lower corner of its intersection lies in the inner cell. Differs: step 5 keeps the enclosing
// pieces on a stack instead of looking ahead from each; step 6 makes pairs unique without the paper's list of
// pairs: exactly one piece of either box holds that corner, and as both of their cells do, one contains the
// other and the sweep meets the two. Splitting may end early for cells that are small enough.
#include "winnow/methods/linear_kdtree.hpp"

#include <atomic>
#include <bit>
#include <cmath>

#include "algo/radix_sort.hpp"
#include "methods/linear_kdtree/ancestors.hpp"
#include "methods/linear_kdtree/choose_space.hpp"
#include "methods/linear_kdtree/code_space.hpp"
#include "methods/linear_kdtree/piece.hpp"
#include "methods/linear_kdtree/splitter.hpp"
#include "winnow/validate.hpp"

namespace winnow {

using namespace linear_kdtree;

namespace {

constexpr std::size_t kBlock = 4096;          // boxes coded and split at a time
constexpr std::size_t kSweepGrain = 1 << 14;  // pieces; finding a share's first ancestors costs about 100

}  // namespace

template <int Dim>
struct LinearKdtree<Dim>::State {
  explicit State(const Options& o) : options(o) {}

  Options options;
  BoxesView<Dim> boxes;
  CodeSpace<Dim> space;
  Buffer<CodeRange> ranges;          // of each box
  Buffer<std::size_t> block_begins;  // where each block's pieces begin
  Buffer<Piece> pieces;              // Invariant after update: sorted by key
  RadixScratch<Piece> scratch;
  std::atomic<std::uint64_t> candidates{0}, pairs{0};

  void code_boxes(Executor& executor);
  void split_boxes(Executor& executor);
  void push_ancestors_of(std::size_t first, Ancestors<Dim>& ancestors) const;
  template <class Visit>
  void sweep(std::size_t begin, std::size_t end, Visit visit);

  Splitter<Dim> splitter() const { return {space, options.split, options.cells == Options::Cells::octree}; }
  void enter(const Piece& piece, const Box<Dim>& box, Ancestors<Dim>& ancestors) const {
    ancestors.enter(piece.id, space.last_extension(piece.key()), ranges[piece.id].lo, box);
  }
};

// Step 2.
template <int Dim>
void LinearKdtree<Dim>::State::code_boxes(Executor& executor) {
  ranges.resize_for_overwrite(boxes.size());
  const int code_bits = space.code_bits();
  parallel_for(executor, boxes.size(), kBlock, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      std::array<std::uint32_t, Dim> lo, hi;
      double volume = options.small_enough;
      for (int axis = 0; axis < Dim; ++axis) {
        lo[axis] = space.slice(axis, boxes.lo(axis, i));
        hi[axis] = space.slice(axis, boxes.hi(axis, i));
        volume *= static_cast<double>(hi[axis] - lo[axis]) + 1;
      }
      const int open = volume < 1 ? -1 : std::ilogb(volume);
      const int deep_enough = std::clamp(code_bits - open, 0, 63);
      ranges[i] = {space.code(lo), space.code(hi) | static_cast<std::uint64_t>(deep_enough) << kMostCodeBits};
    }
  });
}

// Step 3. Pieces are counted first, so that the list is as long as it must be and each block knows its place.
template <int Dim>
void LinearKdtree<Dim>::State::split_boxes(Executor& executor) {
  const Splitter<Dim> split = splitter();
  const std::size_t blocks = (boxes.size() + kBlock - 1) / kBlock;
  const auto for_each_box = [&](auto body) {
    parallel_for(executor, blocks, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
      std::uint64_t keys[Splitter<Dim>::kMostParts];
      for (std::size_t block = begin; block < end; ++block)
        for (std::size_t i = block * kBlock; i < std::min(boxes.size(), (block + 1) * kBlock); ++i)
          body(block, i, keys, split.place(ranges[i], keys));
    });
  };

  block_begins.resize_for_overwrite(blocks);
  std::fill(block_begins.begin(), block_begins.end(), std::size_t{0});
  for_each_box([&](std::size_t block, std::size_t, const std::uint64_t*, std::size_t count) {
    block_begins[block] += count;
  });
  std::size_t total = 0;
  for (std::size_t& begin : block_begins) total += std::exchange(begin, total);

  pieces.resize_for_overwrite(total);
  for_each_box([&](std::size_t block, std::size_t i, const std::uint64_t* keys, std::size_t count) {
    for (std::size_t part = 0; part < count; ++part)
      pieces[block_begins[block]++] = Piece::of(keys[part], static_cast<std::uint32_t>(i));
  });
}

template <int Dim>
LinearKdtree<Dim>::LinearKdtree(const Options& options) : state_(std::make_unique<State>(options)) {}

template <int Dim>
LinearKdtree<Dim>::LinearKdtree(LinearKdtree&&) noexcept = default;
template <int Dim>
LinearKdtree<Dim>& LinearKdtree<Dim>::operator=(LinearKdtree&&) noexcept = default;
template <int Dim>
LinearKdtree<Dim>::~LinearKdtree() = default;

template <int Dim>
MethodInfo LinearKdtree<Dim>::info() {
  return {.name = "linear_kdtree",
          .summary = "sorted codes of kd-tree cells, boxes split at crossed planes, one sweep",
          .paper = "Poirrier 2009",
          .by_candidates = true};
}

template <int Dim>
const OptionTable<LinearKdtreeOptions>& LinearKdtree<Dim>::option_table() {
  static const auto table =
      OptionTable<Options>()
          .choice("mode", &Options::mode, {{"kd1", Options::Mode::kd1}, {"kd2", Options::Mode::kd2}},
                  "what statistics call a candidate: kd1 all the sweep meets, kd2 unique pairs")
          .choice("cells", &Options::cells,
                  {{"kdtree", Options::Cells::kdtree}, {"octree", Options::Cells::octree}},
                  "octree: codes end at multiples of the dimension")
          .flag("split", &Options::split, "split boxes that cross a plane")
          .real("small_enough", &Options::small_enough, 0, 1e6, "1",
                "cell volume / box volume where splitting ends; 0: while volume shrinks (paper)")
          .integer("bits", &Options::bits, 0, kMostCodeBits / 3, "bits",
                   "code bits per axis, axes in turn; 0: from the data")
          .real("space_lo", &Options::space_lo, -3.4e38, 3.4e38, "length",
                "interest space on each axis; unless it is below space_hi: the bounds of the boxes")
          .real("space_hi", &Options::space_hi, -3.4e38, 3.4e38, "length", "its other end");
  return table;
}

template <int Dim>
void LinearKdtree<Dim>::update(BoxesView<Dim> boxes, Executor& executor) {
  require_valid(boxes, executor);
  State& state = *state_;
  state.boxes = boxes;
  state.candidates = state.pairs = 0;
  state.space = choose_space(boxes, state.options, executor);
  state.code_boxes(executor);
  state.split_boxes(executor);
  radix_sort(state.pieces, state.scratch, executor, [](const Piece& piece) { return piece.key(); });
}

// The pieces before `first` whose cells contain its own: for each prefix of its code those with that key.
template <int Dim>
void LinearKdtree<Dim>::State::push_ancestors_of(std::size_t first, Ancestors<Dim>& ancestors) const {
  const std::uint64_t key = pieces[first].key();
  const Piece* const end = pieces.data() + first;
  const Piece* from = pieces.data();
  for (int length = 0; length <= CodeSpace<Dim>::length(key); ++length) {
    const std::uint64_t prefix = space.key(key >> 6, length);
    from = std::lower_bound(from, end, prefix,
                            [](const Piece& piece, std::uint64_t k) { return piece.key() < k; });
    for (; from != end && from->key() == prefix; ++from) enter(*from, boxes[from->id], ancestors);
  }
}

// Calls visit(piece, its box, its ancestors) for the pieces in [begin, end).
template <int Dim>
template <class Visit>
void LinearKdtree<Dim>::State::sweep(std::size_t begin, std::size_t end, Visit visit) {
  Ancestors<Dim> ancestors;
  std::uint64_t met = 0;
  push_ancestors_of(begin, ancestors);
  for (std::size_t i = begin; i < end; ++i) {
    const Piece piece = pieces[i];
    const Box<Dim> box = boxes[piece.id];
    ancestors.leave(piece.key());
    met += ancestors.size();
    if (ancestors.size() != 0) visit(piece, box, ancestors);
    enter(piece, box, ancestors);
  }
  candidates += met;
}

template <int Dim>
void LinearKdtree<Dim>::find_pairs(Executor& executor, PairSink& sink) {
  State& state = *state_;
  state.candidates = state.pairs = 0;
  const CodeSpace<Dim>& space = state.space;
  parallel_for(executor, state.pieces.size(), kSweepGrain,
               [&](std::size_t begin, std::size_t end, std::size_t worker) {
                 PairWriter& writer = sink.writer(worker);
                 std::uint64_t found = 0;
                 state.sweep(
                     begin, end, [&](const Piece& piece, const Box<Dim>& box, Ancestors<Dim>& ancestors) {
                       const std::uint64_t corner = state.ranges[piece.id].lo;
                       const auto hits = ancestors.overlapping(box);
                       Pair* const out = writer.reserve(hits.size());
                       std::size_t count = 0;
                       for (const std::uint32_t hit : hits) {
                         out[count] = ordered_pair(ancestors.id(hit), piece.id);
                         count += space.contains(piece.key(), space.upper_of(ancestors.corner(hit), corner));
                       }
                       writer.commit(out + count);
                       found += count;
                     });
                 state.pairs += found;
               });
}

template <int Dim>
void LinearKdtree<Dim>::find_candidates(Executor& executor, PairSink& sink) {
  const detail::DefaultFloatMode mode;
  State& state = *state_;
  state.candidates = 0;
  sink.open(executor.workers());
  parallel_for(executor, state.pieces.size(), kSweepGrain,
               [&](std::size_t begin, std::size_t end, std::size_t worker) {
                 PairWriter& writer = sink.writer(worker);
                 state.sweep(begin, end, [&](const Piece& piece, const Box<Dim>&, Ancestors<Dim>& ancestors) {
                   Pair* const out = writer.reserve(ancestors.size());
                   for (std::size_t i = 0; i < ancestors.size(); ++i)
                     out[i] = ordered_pair(ancestors.id(i), piece.id);
                   writer.commit(out + ancestors.size());
                 });
               });
  sink.close();
}

template <int Dim>
MethodStats LinearKdtree<Dim>::stats() const {
  const State& state = *state_;
  const bool kd1 = state.options.mode == Options::Mode::kd1;
  return {.candidates = kd1 ? state.candidates : state.pairs,
          .memory_bytes = state.ranges.memory_bytes() + state.block_begins.memory_bytes() +
                          state.pieces.memory_bytes() + state.scratch.memory_bytes(),
          .details = {{"sub_elements", static_cast<double>(state.pieces.size())},
                      {"code_bits", static_cast<double>(state.space.code_bits())},
                      {"met", static_cast<double>(state.candidates)}}};
}

template class LinearKdtree<2>;
template class LinearKdtree<3>;

}  // namespace winnow
