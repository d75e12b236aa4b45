// The contract as functions: each puts a method through one part of it and gathers failures instead of
// asserting, so that the checks themselves can be tested on methods with planted bugs.
#pragma once

#include <cstddef>
#include <span>

#include "contract/subject.hpp"
#include "support/sanitized.hpp"

namespace winnow::test {

// The sanitizers share them: one thread has no races.
inline constexpr std::size_t kAllThreadCounts[] = {1, 3, 2, 8};
inline constexpr std::span<const std::size_t> kThreadCounts =
    kThreadSanitized ? std::span(kAllThreadCounts).last(2)
    : kSanitized     ? std::span(kAllThreadCounts).first(2)
                     : std::span(kAllThreadCounts);

// Every layout and size, at every SIMD level, on every executor with this many threads: by a new method
// object for each case, and by one that has seen all the cases before.
template <int Dim>
void check_layouts(const Subject<Dim>& subject, std::size_t threads, Failures& failures);

// Enough boxes that loops are really cut into pieces.
template <int Dim>
void check_many_boxes(const Subject<Dim>& subject, Failures& failures);

// Frames in sequence on one object.
template <int Dim>
void check_motions(const Subject<Dim>& subject, Failures& failures);

// All of settings_to_try(), on a share of layouts and on all motions.
template <int Dim>
void check_settings(const Subject<Dim>& subject, Failures& failures);

// Bad boxes are refused as a whole, the first is named, and the object answers as before.
template <int Dim>
void check_refusals(const Subject<Dim>& subject, Failures& failures);

// The caller's rounding and flush-to-zero do not change the result and are given back.
template <int Dim>
void check_float_modes(const Subject<Dim>& subject, Failures& failures);

// Boxes as an array, as columns, inside structs.
template <int Dim>
void check_views(const Subject<Dim>& subject, Failures& failures);

// Counting, digesting, filtering, calling back and sorting sinks all get the same pairs; asking twice gives
// the same answer.
template <int Dim>
void check_sinks(const Subject<Dim>& subject, Failures& failures);

// 65,537 coincident boxes make more pairs than 31 bits count.
template <int Dim>
void check_pair_count_beyond_31_bits(const Subject<Dim>& subject, Failures& failures);

}  // namespace winnow::test
