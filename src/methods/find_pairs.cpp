#include "winnow/find_pairs.hpp"

#include "winnow/filter.hpp"
#include "winnow/registry.hpp"
#include "winnow/rounding.hpp"

namespace winnow {
namespace {

// Runs `fill(sink)` on a sink that keeps the pairs in the order asked for.
template <class Fill>
std::vector<Pair> collected(Executor& executor, PairOrder order, Fill fill) {
  if (order == PairOrder::canonical) {
    CanonicalSink sink(executor);
    fill(sink);
    return sink.take();
  }
  CollectSink sink;
  fill(sink);
  return sink.join(executor);
}

template <int Dim, class Real>
std::vector<Pair> found(BoxesView<Dim, Real> boxes, const FindOptions& options) {
  const auto executor = make_executor(options.threads);
  AnyMethod<Dim> method =
      make_method<Dim>(options.method.empty() ? default_method() : options.method, options.settings);
  return collected(*executor, options.order, [&](PairSink& sink) {
    if (!options.filter) return find_pairs(boxes, method, *executor, sink);
    FilterSink filter(sink, std::cref(options.filter));
    find_pairs(boxes, method, *executor, filter);
  });
}

}  // namespace

template <int Dim>
void find_pairs(BoxesView<Dim> boxes, AnyMethod<Dim>& method, Executor& executor, PairSink& sink) {
  method.update(boxes, executor);
  method.find_pairs(executor, sink);
}

template <int Dim>
void find_pairs(BoxesView<Dim, double> boxes, AnyMethod<Dim>& method, Executor& executor, PairSink& sink) {
  Boxes<Dim> rounded;
  round_outward(boxes, executor, rounded);
  FilterSink exact(sink, [&](Pair pair) { return overlaps(boxes[pair.a], boxes[pair.b]); });
  find_pairs(rounded.view(), method, executor, exact);
}

template <int Dim>
std::vector<Pair> find_pairs(BoxesView<Dim> boxes, const FindOptions& options) {
  return found(boxes, options);
}

template <int Dim>
std::vector<Pair> find_pairs(BoxesView<Dim, double> boxes, const FindOptions& options) {
  return found(boxes, options);
}

template void find_pairs<2>(BoxesView<2>, AnyMethod<2>&, Executor&, PairSink&);
template void find_pairs<3>(BoxesView<3>, AnyMethod<3>&, Executor&, PairSink&);
template void find_pairs<2>(BoxesView<2, double>, AnyMethod<2>&, Executor&, PairSink&);
template void find_pairs<3>(BoxesView<3, double>, AnyMethod<3>&, Executor&, PairSink&);
template std::vector<Pair> find_pairs<2>(BoxesView<2>, const FindOptions&);
template std::vector<Pair> find_pairs<3>(BoxesView<3>, const FindOptions&);
template std::vector<Pair> find_pairs<2>(BoxesView<2, double>, const FindOptions&);
template std::vector<Pair> find_pairs<3>(BoxesView<3, double>, const FindOptions&);

}  // namespace winnow
