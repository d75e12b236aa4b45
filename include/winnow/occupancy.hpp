// Where the objects of a spatial hash really are, in cells smaller than those that store them: a bit for each
// small cell that an object touches. HashGrid asks it before it looks into any level.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "winnow/box.hpp"

namespace winnow {

// A map for each of the largest levels, and one for all levels below them. A map has no bounds: it repeats in
// all directions, so that places far apart share a bit. A shared bit costs a look; what has no bit is not
// there.
template <int Dim>
class Occupancy {
 public:
  static constexpr int kMostMaps = 4;
  using Maps = unsigned;                 // a set: bit m for map m
  static constexpr Maps kUnknown = ~0u;  // the box is too large to ask for

  // What there is to be marked. Edges are summed as the coefficients of a polynomial: how many small cells
  // all boxes of a map touch is its value at 1 / edge of the cells.
  class Census {
   public:
    explicit Census(std::size_t levels);
    void add(const Box<Dim>& box, int level);

   private:
    friend Occupancy;
    int maps_;
    std::array<float, Dim> lo_, hi_;
    std::array<std::array<double, Dim + 1>, kMostMaps> sums_{};
  };

  // Empty maps of at most so many bits for what was counted, with cells between the two sizes, given as 1 /
  // edge: those that leave the fewest places marked.
  void lay_out(const Census& census, float coarsest, float finest, std::size_t bits);
  // One of the boxes that were counted.
  void mark(const Box<Dim>& box, int level);
  // One that came later: false, and nothing is marked, when the maps would hold far more than they were laid
  // out for. Then they should be laid out anew. Marks of boxes that have gone are cleared that way as well.
  bool mark_later(const Box<Dim>& box, int level);

  // The maps in which a mark is near the box.
  Maps near(const Box<Dim>& box) const;
  Maps map_of(int level) const { return 1u << (level < maps_ ? level : maps_ - 1); }

  std::size_t memory_bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

 private:
  using At = std::array<std::int32_t, Dim>;
  static constexpr int kRowBits = 6;  // a word is a row of 64 cells along the first axis

  // All maps have cells of one size and repeat after as many of them, so that a box is translated to rows
  // once and the words of one row lie beside each other.
  struct Layout {
    float scale;
    std::array<int, Dim> bits;
    double touched;  // cells that boxes touch
    double places;   // of a map
    double looks;    // levels that a small box has to look into, on average
  };

  // Where the words of a row begin is the sum of this for all axes; along the first axis rows are counted.
  std::size_t offset(int axis, std::int32_t cell) const {
    return (static_cast<std::uint32_t>(cell) & masks_[axis]) * strides_[axis];
  }
  static Layout layout(const Census& census, float scale, int most_bits);
  static std::array<int, Dim> fold(const Census& census, double scale, int most_bits);

  std::vector<std::uint64_t> words_;
  std::array<std::uint32_t, Dim> masks_{};
  std::array<std::size_t, Dim> strides_{};
  int maps_ = 1;
  float scale_ = 0;  // 1 / edge of the cells
  double room_ = 0;  // cells that may be marked later
};

}  // namespace winnow
