// Rows of neighbours put into another order, or thinned.
#pragma once

#include "winnow/executor.hpp"
#include "winnow/neighbours.hpp"

namespace winnow {

// Row k of `from` becomes row ids[k] of `to`.
template <int Dim, class Real>
void scatter_rows(const Neighbours<Dim, Real>& from, const std::uint32_t* ids, Executor& executor,
                  Buffer<std::uint64_t>& begins, Neighbours<Dim, Real>& to);

// Of each pair keeps one of its two entries. Row k is point ids[k]; with periodic images, a point may be its
// own neighbour.
template <int Dim, class Real>
void keep_half(const std::uint32_t* ids, Neighbours<Dim, Real>& lists);

}  // namespace winnow
