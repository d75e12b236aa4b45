// A dynamic spatial hash of boxes: cells of one or several sizes in one flat table, no world bounds,
// insertion and removal at any time, and the queries of Pouchol et al. 2009: what may touch a box, a point or
// a segment. The three hashing methods are this structure with their scheme.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "winnow/boxes.hpp"
#include "winnow/executor.hpp"
#include "winnow/method.hpp"
#include "winnow/sink.hpp"

namespace winnow {

enum class HashScheme {
  uniform,       // one cell size (Teschner et al. 2003)
  multilevel,    // a cell size per size class, an object in the cells of its own class (Eitz and Lixu 2007)
  hierarchical,  // the same, and a cell knows whether smaller cells inside it hold anything (Pouchol et al.
                 // 2009)
};

// A slot of the table stores its cell's coordinates, so that cells with equal hashes are told apart: hash
// collisions cost time, never a pair.
template <int Dim>
class HashGrid {
 public:
  // Cell sizes are chosen from the boxes, or given as binary exponents, largest first.
  explicit HashGrid(HashScheme scheme, std::vector<int> levels = {})
      : scheme_(scheme), given_levels_(std::move(levels)) {}

  // Forgets all objects and stores these; ids are their indices. Cell sizes are chosen from the boxes. The
  // table is not swept: its slots carry the number of the build that wrote them.
  void build(BoxesView<Dim> boxes);

  // One object at any time; an id that is stored already is moved, and changes its class if its size did.
  void insert(std::uint32_t id, const Box<Dim>& box);
  bool remove(std::uint32_t id);  // false if there is none
  bool contains(std::uint32_t id) const { return id < objects_.size() && objects_[id].level != kAbsent; }
  std::size_t size() const { return size_; }

  // Appends the ids of all objects that share a cell with the box, each once: all that overlap it, and some
  // near it. A moving object asks with the box of its path.
  void candidates(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const;
  void candidates_of_point(const std::array<float, Dim>& point, std::vector<std::uint32_t>& ids) const;
  void candidates_of_segment(const std::array<float, Dim>& from, const std::array<float, Dim>& to,
                             std::vector<std::uint32_t>& ids) const;

  // All overlapping pairs of stored objects.
  void find_pairs(Executor& executor, PairSink& sink);

  MethodStats stats() const;

 private:
  using At = std::array<std::int32_t, Dim>;  // a cell's place in its level's grid

  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::int16_t kAbsent = -1;  // levels of objects that are not in the table
  static constexpr std::int16_t kOversized =
      -2;  // uniform: an object of very many cells is kept in a list instead

  struct Object {
    Box<Dim> box;
    std::int16_t level = kAbsent;
  };
  struct Slot {
    At at;
    std::int16_t level;
    std::uint16_t build;  // a slot of an older build is free
    std::uint32_t head;   // first entry
    std::uint32_t count : 31;
    std::uint32_t has_children : 1;  // hierarchical: some smaller cell inside holds an object
  };
  struct Entry {
    std::uint32_t id;
    std::uint32_t next;
  };
  struct Cells {  // those a box touches on one level, corners included
    At first, last;
    double count() const;
  };
  struct Scratch;  // of one worker, in find_pairs

  std::int16_t level_for(const Box<Dim>& box) const;
  Cells cells_of(const Box<Dim>& box, int level) const;
  std::uint32_t key(const At& at, int level) const;
  // Where a key's search begins: its bits mixed, then scaled to the table's length, which may be any.
  std::size_t start(std::uint32_t key) const {
    return static_cast<std::size_t>((std::uint64_t{key * 0x9e3779b1u} * slots_.size()) >> 32);
  }
  std::size_t next(std::size_t slot) const { return ++slot == slots_.size() ? 0 : slot; }
  const Slot* find(const At& at, int level, std::uint32_t key) const;
  Slot& find_or_add(const At& at, int level);
  void reset_table();
  void resize_table(std::size_t slots);
  void set_levels(std::vector<int> levels);
  void store(std::uint32_t id);
  void unstore(std::uint32_t id);
  void mark_ancestors(const At& at, int level);
  void rebuild();

  bool covers_many_cells(const Box<Dim>& box) const;
  void candidates_in_cell(const Slot& slot, const Cells& cells, std::vector<std::uint32_t>& ids) const;
  void descend(const Box<Dim>& box, int level, const Cells& within, std::uint32_t key,
               std::vector<std::uint32_t>& ids) const;
  int widest_axis(const Slot& slot) const;
  void pairs_in_cell(const Slot& slot, Scratch& scratch, PairWriter& writer) const;
  void pairs_with_larger(std::uint32_t id, Scratch& scratch, PairWriter& writer) const;
  void pairs_of_oversized(std::uint32_t id, const Boxes<Dim>& all, Scratch& scratch,
                          PairWriter& writer) const;

  HashScheme scheme_;
  std::vector<int> given_levels_;
  std::vector<int> levels_;     // binary exponents of the cell sizes, largest first
  std::vector<double> scales_;  // 1 / cell size of each level
  std::vector<Object> objects_;
  std::vector<std::uint32_t> oversized_;
  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
  // Bit `axis` is set when the entry's cell is not its object's first along that axis. Of the cells two
  // objects share, exactly one has no axis set in both: the one that holds the lower corner of their
  // intersection. It reports the pair.
  std::vector<std::uint8_t> later_axes_;
  std::uint32_t free_entry_ = kNone;
  std::uint16_t build_ = 0;
  std::size_t size_ = 0;
  std::size_t used_slots_ = 0;
  std::uint64_t tested_ = 0;  // pairs of boxes compared by the last find_pairs
};

}  // namespace winnow
