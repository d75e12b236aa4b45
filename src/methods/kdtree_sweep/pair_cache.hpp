// §3.4: the pairs of the last frame, as far as they were pairs of hulls (margin.hpp). Those whose objects
// rest are delivered without a search.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/kdtree_sweep/kd_tree.hpp"
#include "winnow/buffer.hpp"
#include "winnow/sink.hpp"

namespace winnow::kdtree_sweep {

// Which objects' pairs are to be forgotten: one byte for each id there has been since the last search.
using MovedFlags = std::vector<std::uint8_t>;

template <int Dim>
class PairCache {
 public:
  void clear() { parts_.clear(); }

  // Forgets the pairs of moved objects, and writes the others that overlap. Without flags nothing has moved.
  void deliver(BoxesView<Dim> boxes, const MovedFlags* moved, Executor& executor, PairSink& sink);

  // Takes pairs of places in the tree whose hulls overlap: keeps them all and passes on those that overlap.
  class Sink final : public BlockSink {
   public:
    Sink(PairCache& cache, const KdTree<Dim>& tree, BoxesView<Dim> boxes, float margin, PairSink& next)
        : cache_(cache), tree_(tree), boxes_(boxes), margin_(margin), next_(next) {}

   private:
    void start(std::size_t workers) override;
    void consume(std::size_t worker, std::span<const Pair> block) override;

    PairCache& cache_;
    const KdTree<Dim>& tree_;
    BoxesView<Dim> boxes_;
    float margin_;
    PairSink& next_;
  };

  std::uint64_t size() const;
  std::size_t memory_bytes() const;

 private:
  struct Part {
    Buffer<Pair> certain;  // cores overlap, and so do the boxes while they rest
    Buffer<Pair> near;     // hulls overlap: compare the boxes
    std::size_t blocks = 0;
  };
  // Several for each worker, so that what one worker found can be delivered by others.
  std::vector<Part> parts_;
};

}  // namespace winnow::kdtree_sweep
