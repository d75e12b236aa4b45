#include "methods/tile_sweep/columns.hpp"

#include <algorithm>

namespace winnow::tile_sweep {

void Columns::resize(std::size_t size) {
  // Arrays a whole number of pages apart would compete for the same few lines of the first-level cache, so
  // each is offset by a ninth of a page.
  constexpr std::size_t kPage = 4096 / sizeof(std::int16_t), kOff = 448 / sizeof(std::int16_t);
  std::size_t stride = (size + kSlack + 31) / 32 * 32;
  if (stride > kPage) stride = (stride - kOff + kPage - 1) / kPage * kPage + kOff;
  values_.resize_for_overwrite(stride * kArrays);
  ids_.resize_for_overwrite(stride);
  size_ = size;
  stride_ = stride;
}

void Columns::close() {
  std::fill_n(cell() + size_, kSlack, std::int16_t{32767});
  std::fill_n(last_cell() + size_, kSlack, std::int16_t{-32768});
}

}  // namespace winnow::tile_sweep
