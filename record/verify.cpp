#include "record/verify.hpp"

#include <algorithm>
#include <iterator>

namespace winnow::record {
namespace {

std::vector<Pair> without(const std::vector<Pair>& pairs, const std::vector<Pair>& others) {
  std::vector<Pair> rest;
  std::set_difference(pairs.begin(), pairs.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace

template <int Dim>
std::optional<Disagreement> first_disagreement(std::span<AnyMethod<Dim>> methods, BoxesView<Dim> boxes,
                                               Executor& executor, PairDigest& found) {
  CollectSink first, other;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    CollectSink& sink = m == 0 ? first : other;
    methods[m].update(boxes, executor);
    methods[m].find_pairs(executor, sink);
    PairDigest digest;
    for (std::size_t part = 0; part < sink.parts(); ++part) digest.add(sink.part(part));
    if (m == 0) found = digest;
    if (digest == found) continue;
    std::vector<Pair> expected = first.join(executor), got = other.join(executor);
    sort_canonical(expected, executor);
    sort_canonical(got, executor);
    return Disagreement{m, without(expected, got), without(got, expected)};
  }
  return std::nullopt;
}

template std::optional<Disagreement> first_disagreement<2>(std::span<AnyMethod<2>>, BoxesView<2>, Executor&,
                                                           PairDigest&);
template std::optional<Disagreement> first_disagreement<3>(std::span<AnyMethod<3>>, BoxesView<3>, Executor&,
                                                           PairDigest&);

}  // namespace winnow::record
