// The one-line use:  std::vector<winnow::Pair> pairs = winnow::find_pairs<3>(boxes);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "winnow/boxes.hpp"
#include "winnow/method.hpp"
#include "winnow/option.hpp"
#include "winnow/pair.hpp"

namespace winnow {

enum class PairOrder { any, canonical };

struct FindOptions {
  std::string method = {};                // registry name; empty: the default method
  Settings settings = {};                 // the method's own options, by name
  std::size_t threads = 1;                // 0: all the hardware has
  std::function<bool(Pair)> filter = {};  // keeps a pair when true, from any thread; empty: keeps all
  PairOrder order = PairOrder::any;       // canonical: sorted by a, then b
};

// All overlapping pairs, each once, a < b. Throws Error for bad boxes, names or options.
template <int Dim>
std::vector<Pair> find_pairs(BoxesView<Dim> boxes, const FindOptions& options = {});

// Double boxes are rounded outward to float for the search, and what it finds is tested in double: exact.
template <int Dim>
std::vector<Pair> find_pairs(BoxesView<Dim, double> boxes, const FindOptions& options = {});

// The same with a method, threads and a place for the pairs of the caller's own.
template <int Dim>
void find_pairs(BoxesView<Dim> boxes, AnyMethod<Dim>& method, Executor& executor, PairSink& sink);
template <int Dim>
void find_pairs(BoxesView<Dim, double> boxes, AnyMethod<Dim>& method, Executor& executor, PairSink& sink);

template <int Dim, class Real>
std::vector<Pair> find_pairs(const std::vector<Box<Dim, Real>>& boxes, const FindOptions& options = {}) {
  return find_pairs<Dim>(BoxesView<Dim, Real>(boxes), options);
}

}  // namespace winnow
