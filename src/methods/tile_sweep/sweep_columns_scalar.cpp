// The scalar twin of the sweep.
#include "methods/tile_sweep/sweep_columns.hpp"

namespace winnow::tile_sweep {

template <int Dim>
std::uint64_t sweep_columns_scalar(const Columns& columns, const Box<Dim>* boxes, PairWriter& writer) {
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; columns.cell()[j] <= columns.last_cell()[i]; ++j) {
      ++tests;
      bool apart = false;
      for (int k = 0; k < Dim; ++k) {
        apart |= ~columns.face(3 + k)[i] < columns.face(k)[j];
        apart |= ~columns.face(k)[i] < columns.face(3 + k)[j];
      }
      if (apart || (columns.later_axes()[i] & columns.later_axes()[j]) != 0) continue;
      const Pair pair = ordered_pair(columns.ids()[i], columns.ids()[j]);
      if (overlaps(boxes[pair.a], boxes[pair.b])) writer.write(pair);
    }
  }
  return tests;
}

template std::uint64_t sweep_columns_scalar<2>(const Columns&, const Box<2>*, PairWriter&);
template std::uint64_t sweep_columns_scalar<3>(const Columns&, const Box<3>*, PairWriter&);

}  // namespace winnow::tile_sweep
