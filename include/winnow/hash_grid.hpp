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
#include "winnow/occupancy.hpp"
#include "winnow/sink.hpp"

namespace winnow {

class ClassCounts;

enum class HashScheme {
  uniform,       // one cell size (Teschner et al. 2003)
  multilevel,    // a cell size per size class, an object in the cells of its own class (Eitz and Lixu 2007)
  hierarchical,  // the same, and a cell knows whether smaller cells inside it hold anything (Pouchol et al.
                 // 2009)
};

// What a grid is built for. Queries want cells that hold little, pairs want few copies of each object: their
// cells are larger than the objects' classes ask for, as long as they do not get crowded.
enum class HashUse { queries, pairs };

// A slot of the table stores its cell's coordinates, so that cells with equal hashes are told apart: hash
// collisions cost time, never a pair.
template <int Dim>
class HashGrid {
 public:
  // Cell sizes are chosen from the boxes.
  explicit HashGrid(HashScheme scheme, HashUse use = HashUse::queries)
      : scheme_(scheme), widening_(use == HashUse::pairs ? kMostWidening : 0), may_widen_(widening_ != 0) {}
  // Cell sizes are given, as binary exponents, largest first.
  HashGrid(HashScheme scheme, std::vector<int> levels) : scheme_(scheme), given_levels_(std::move(levels)) {}

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
  static constexpr int kMostWidening = 8;
  static constexpr std::int16_t kAbsent = -1;  // levels of objects that are not in the table
  static constexpr std::int16_t kOversized =
      -2;  // uniform: an object of very many cells is kept in a list instead

  struct Object {
    Box<Dim> box;
    std::int16_t level = kAbsent;
    std::int16_t size_class = 0;
  };
  struct Slot {
    At at;
    std::int16_t level;
    std::uint16_t build;  // a slot of an older build is free
    std::uint32_t first;  // its objects are ids_[first .. first + count)
    std::uint32_t count;
  };
  // What the hierarchical scheme knows of a cell before it looks for it.
  enum Mark : unsigned { kHoldsObjects = 1, kHasChildren = 2 };
  struct Cells {  // those a box touches on one level, corners included
    At first, last;
    double count() const;
  };
  struct Scratch;  // of one worker, in find_pairs

  static Object object_of(const Box<Dim>& box);
  std::int16_t level_for(int size_class) const;
  bool covers_too_many(const Cells& cells) const;
  void set_levels(std::vector<int> levels);
  Cells cells_of(const Box<Dim>& box, int level) const;
  std::uint32_t key(const At& at, int level) const;

  // The table: open addressing, a key's search begins at its bits mixed and scaled to the table's length,
  // which may be any.
  static std::size_t scaled(std::uint32_t key, std::size_t length) {
    return static_cast<std::size_t>((std::uint64_t{key * 0x9e3779b1u} * length) >> 32);
  }
  std::size_t next(std::size_t slot) const { return ++slot == slots_.size() ? 0 : slot; }
  // With occupancy a search nearly always succeeds, so that it may take some steps more.
  bool full() const {
    return has_occupancy() ? used_slots_ * 4 >= slots_.size() * 3 : used_slots_ * 3 >= slots_.size() * 2;
  }
  const Slot* find(const At& at, int level, std::uint32_t key) const;
  Slot& find_or_add(const At& at, int level, std::uint32_t key);
  void clear_table(std::size_t slots);
  void resize_table(std::size_t slots);
  void make_room();

  // The marks: two bits for a key, in places that keys may share. So a mark may be set for another cell,
  // which costs a look; what is not marked is not there.
  static constexpr std::size_t kMarksPerSlot = 8;
  unsigned marks_of(std::uint32_t key) const {
    const std::size_t place = scaled(key, kMarksPerSlot * slots_.size());
    return marks_[place / kMarksPerSlot] >> (2 * (place % kMarksPerSlot)) & 3u;
  }
  void mark(const At& at, int level);
  void mark_all();

  // Where the objects are, more finely than cells tell; for queries only, and of boxes far smaller than
  // objects, which a caller who gives the cell sizes does not expect.
  bool has_occupancy() const {
    return scheme_ == HashScheme::hierarchical && !may_widen_ && given_levels_.empty();
  }
  void mark_occupancy();
  std::size_t memory_bytes() const;

  // Cells' contents: blocks of the smallest power of two that holds them.
  std::uint32_t take_block(std::uint32_t size);
  void free_block(std::uint32_t first, std::uint32_t size);
  void add_to_cell(Slot& slot, std::uint32_t id, std::uint8_t later);
  void remove_from_cell(Slot& slot, std::uint32_t id);

  void rebuild();
  void choose_cell_sizes(const ClassCounts& counts);
  bool count_contents();
  void fill_contents();
  void store(std::uint32_t id);
  void unstore(std::uint32_t id);

  bool covers_many_cells(const Box<Dim>& box) const;
  void candidates_in_hierarchy(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const;
  void candidates_among_all(const Box<Dim>& box, std::vector<std::uint32_t>& ids) const;
  void candidates_on_level(const Box<Dim>& box, int level, std::vector<std::uint32_t>& ids) const;
  void candidates_in_cell(const Slot& slot, const Cells& touched, std::vector<std::uint32_t>& ids) const;
  void descend(const Box<Dim>& box, int level, const Cells& touched, const Cells& within,
               std::uint32_t parent_key, std::vector<std::uint32_t>& ids) const;
  void descend_into(const Box<Dim>& box, int level, At parent, std::uint32_t parent_key,
                    std::vector<std::uint32_t>& ids) const;
  int widest_axis(const Slot& slot) const;
  void pairs_in_cell(const Slot& slot, Scratch& scratch, PairWriter& writer) const;
  void pairs_with_larger(std::uint32_t id, const BoxColumns<Dim>& boxes, Scratch& scratch,
                         PairWriter& writer) const;
  void pairs_of_oversized(std::uint32_t id, const Boxes<Dim>& all, Scratch& scratch,
                          PairWriter& writer) const;

  HashScheme scheme_;
  int widening_ = 0;  // binary logarithm: how much larger than asked for cells are
  bool may_widen_ = false;
  std::vector<int> given_levels_;
  std::vector<int> levels_;    // binary exponents of the cell sizes, largest first
  std::vector<float> scales_;  // 1 / cell size of each level
  std::vector<Object> objects_;
  std::vector<std::uint32_t> oversized_;
  std::vector<Slot> slots_;
  std::vector<std::uint16_t> marks_;  // hierarchical: eight places for each slot
  Occupancy<Dim> occupancy_;
  std::vector<std::uint32_t> ids_;  // cells' contents
  // Beside each id: bit `axis` is set when the cell is not its object's first along that axis. Of the cells
  // two objects share, exactly one has no axis set in both: the one that holds the lower corner of their
  // intersection. It reports the pair.
  std::vector<std::uint8_t> later_axes_;
  std::array<std::uint32_t, 32> free_blocks_{};  // by binary logarithm of their size; each names the next
  std::vector<std::uint32_t> slot_of_copy_;      // while building: where the cells of all objects are
  std::uint16_t build_ = 0;
  std::size_t size_ = 0;
  std::size_t used_slots_ = 0;
  std::uint64_t met_ = 0;     // sum of squares of what cells hold
  std::uint64_t tested_ = 0;  // pairs of boxes compared by the last find_pairs
};

}  // namespace winnow
