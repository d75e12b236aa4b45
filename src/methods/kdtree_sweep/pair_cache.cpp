#include "methods/kdtree_sweep/pair_cache.hpp"

#include <cstring>

#include "methods/kdtree_sweep/prefetch.hpp"

namespace winnow::kdtree_sweep {
namespace {

constexpr std::size_t kAhead = 12;  // pairs whose boxes are on their way

// The motions of both objects of a pair, as bits.
unsigned motions_of(const Motion* motions, Pair pair) {
  return static_cast<unsigned>(motions[pair.a]) | static_cast<unsigned>(motions[pair.b]);
}
constexpr unsigned kTrembled = static_cast<unsigned>(Motion::trembled);
constexpr unsigned kMoved = static_cast<unsigned>(Motion::moved);
static_assert((kTrembled & kMoved) == 0);

// In these loops pairs are written always and kept by moving on: no branch to mispredict.

void drop_moved(Buffer<Pair>& pairs, const Motion* motions) {
  Pair* to = pairs.data();
  for (const Pair pair : pairs) {
    *to = pair;
    to += (motions_of(motions, pair) & kMoved) == 0;
  }
  pairs.resize(static_cast<std::size_t>(to - pairs.data()));
}

// Keeps the pairs of objects without motion, and appends those that are to be compared to `open`.
void drop_moved(Buffer<Pair>& pairs, const Motion* motions, Buffer<Pair>& open) {
  const std::size_t opened = open.size();
  open.resize(opened + pairs.size());
  Pair* to = pairs.data();
  Pair* open_to = open.data() + opened;
  for (const Pair pair : pairs) {
    *to = *open_to = pair;
    const unsigned motion = motions_of(motions, pair);
    to += motion == 0;
    open_to += motion == kTrembled;
  }
  pairs.resize(static_cast<std::size_t>(to - pairs.data()));
  open.resize(static_cast<std::size_t>(open_to - open.data()));
}

void write(const Buffer<Pair>& pairs, std::size_t from, PairWriter& writer) {
  const std::size_t count = pairs.size() - from;
  if (count == 0) return;
  Pair* out = writer.reserve(count);
  std::memcpy(out, pairs.data() + from, count * sizeof(Pair));
  writer.commit(out + count);
}

}  // namespace

template <int Dim>
void NodePairs<Dim>::forget() {
  whole_ = 0;
  certain_.clear();
  touching_.clear();
  apart_.clear();
}

template <int Dim>
void NodePairs<Dim>::recall(Recall<Dim>& with) {
  if (!with.rest->all_still()) {
    whole_ = 0;
    const Motion* motions = with.rest->motions().data();
    drop_moved(certain_, motions);
    with.open.clear();
    drop_moved(touching_, motions, with.open);
    drop_moved(apart_, motions, with.open);
    compare(with);
  }
  write(certain_, 0, *with.writer);
  write(touching_, 0, *with.writer);
}

template <int Dim>
void NodePairs<Dim>::remember(std::span<const Pair> places, const Object<Dim>* objects, Recall<Dim>& with) {
  const std::size_t certain = certain_.size(), touching = touching_.size();
  const float margin = with.rest->margin();
  certain_.resize(certain + places.size());
  with.open.resize_for_overwrite(places.size());
  Pair *certain_to = certain_.data() + certain, *open_to = with.open.data();
  for (const Pair place : places) {
    const Object<Dim>& a = objects[place.a];
    const Object<Dim>& b = objects[place.b];
    const bool sure = cores_overlap(a.box, b.box, margin);
    *certain_to = *open_to = ordered_pair(a.id, b.id);
    certain_to += sure;
    open_to += !sure;
  }
  certain_.resize(static_cast<std::size_t>(certain_to - certain_.data()));
  with.open.resize(static_cast<std::size_t>(open_to - with.open.data()));
  compare(with);
  write(certain_, certain, *with.writer);
  write(touching_, touching, *with.writer);
}

// Sorts the open pairs into those that touch and those apart.
template <int Dim>
void NodePairs<Dim>::compare(const Recall<Dim>& with) {
  const Buffer<Pair>& open = with.open;
  const Box<Dim>* boxes = with.rest->boxes();
  const std::size_t touching = touching_.size(), apart = apart_.size();
  touching_.resize(touching + open.size());
  apart_.resize(apart + open.size());
  Pair *touching_to = touching_.data() + touching, *apart_to = apart_.data() + apart;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (i + kAhead < open.size()) {
      prefetch(boxes + open[i + kAhead].a);
      prefetch(boxes + open[i + kAhead].b);
    }
    const bool touch = overlaps(boxes[open[i].a], boxes[open[i].b]);
    *touching_to = *apart_to = open[i];
    touching_to += touch;
    apart_to += !touch;
  }
  touching_.resize(static_cast<std::size_t>(touching_to - touching_.data()));
  apart_.resize(static_cast<std::size_t>(apart_to - apart_.data()));
}

template <int Dim>
std::size_t NodePairs<Dim>::memory_bytes() const {
  return sizeof(*this) + certain_.memory_bytes() + touching_.memory_bytes() + apart_.memory_bytes();
}

template class NodePairs<2>;
template class NodePairs<3>;

}  // namespace winnow::kdtree_sweep
