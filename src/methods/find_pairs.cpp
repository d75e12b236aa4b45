#include "winnow/find_pairs.hpp"

#include "winnow/filter.hpp"
#include "winnow/registry.hpp"
#include "winnow/rounding.hpp"

namespace winnow {
namespace {

template <int Dim>
AnyMethod<Dim> chosen_method(const FindOptions& options) {
  return make_method<Dim>(options.method.empty() ? default_method() : options.method, options.settings);
}

template <int Dim, class Keep>
void search(BoxesView<Dim> boxes, AnyMethod<Dim>& method, Executor& executor, PairSink& sink, Keep keep) {
  method.update(boxes, executor);
  FilterSink filter(sink, keep);
  method.find_pairs(executor, filter);
}

template <int Dim>
void search(BoxesView<Dim> boxes, AnyMethod<Dim>& method, Executor& executor, PairSink& sink) {
  method.update(boxes, executor);
  method.find_pairs(executor, sink);
}

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

}  // namespace

template <int Dim>
std::vector<Pair> find_pairs(BoxesView<Dim> boxes, const FindOptions& options) {
  const auto executor = make_executor(options.threads);
  AnyMethod<Dim> method = chosen_method<Dim>(options);
  return collected(*executor, options.order, [&](PairSink& sink) {
    if (options.filter)
      search(boxes, method, *executor, sink, std::cref(options.filter));
    else
      search(boxes, method, *executor, sink);
  });
}

template <int Dim>
std::vector<Pair> find_pairs(BoxesView<Dim, double> boxes, const FindOptions& options) {
  const auto executor = make_executor(options.threads);
  AnyMethod<Dim> method = chosen_method<Dim>(options);
  Boxes<Dim> rounded;
  round_outward(boxes, *executor, rounded);
  const auto keep = [&](Pair pair) {
    return overlaps(boxes[pair.a], boxes[pair.b]) && (!options.filter || options.filter(pair));
  };
  return collected(*executor, options.order,
                   [&](PairSink& sink) { search(rounded.view(), method, *executor, sink, keep); });
}

template std::vector<Pair> find_pairs<2>(BoxesView<2>, const FindOptions&);
template std::vector<Pair> find_pairs<3>(BoxesView<3>, const FindOptions&);
template std::vector<Pair> find_pairs<2>(BoxesView<2, double>, const FindOptions&);
template std::vector<Pair> find_pairs<3>(BoxesView<3, double>, const FindOptions&);

}  // namespace winnow
