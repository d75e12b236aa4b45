// What takes part in a comparison: one of our methods, a peer (another library), or a floor (work no pair
// finder can do without). All get the same array of boxes and leave their pairs in the same kind of sink.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "winnow/box.hpp"
#include "winnow/sink.hpp"

namespace winnow::bench {

class Contender {
 public:
  virtual ~Contender() = default;

  // Before the clock starts: how many pairs the frame has, which the floor of writing them needs; and time to
  // wake threads.
  virtual void expect(std::uint64_t) {}

  // The two phases of a frame, timed apart. Boxes stay where they are until both are done.
  virtual void update(std::span<const Box3> boxes) = 0;
  virtual void find_pairs(PairSink& pairs) = 0;

  // Only for those whose info says `enlarges`: find_pairs leaves candidates in the library's own list, and
  // this writes those that truly overlap. It is timed apart too, and not counted in the total.
  virtual void filter_pairs(std::span<const Box3>, PairSink&) {}

  virtual std::uint64_t candidates() const { return 0; }  // compared in the last frame; 0 if it cannot tell
  virtual std::size_t memory_bytes() const { return 0; }  // held between frames; 0 if it cannot tell
};

struct ContenderInfo {
  std::string kind = {};        // "method", "peer", "floor"
  std::string name = {};        // as on the command line
  std::string summary = {};     // one line
  std::string source = {};      // the paper, or the library with version and licence
  bool enlarges = false;        // its boxes are larger than ours: see filter_pairs
  bool parallel = false;        // can use more than one thread
  std::size_t max_objects = 0;  // beyond this nobody would wait for it; 0: no limit
};

struct ContenderEntry {
  ContenderInfo info;
  std::function<std::unique_ptr<Contender>(std::size_t threads)> make;
};

// A library joins by one line in its file:
//   const Peer dbvt({.kind = "peer", ...}, [](std::size_t) { return std::make_unique<Dbvt>(); });
struct Peer {
  Peer(ContenderInfo info, std::function<std::unique_ptr<Contender>(std::size_t threads)> make);
};
std::vector<ContenderEntry> peers();  // by name

// Copying the input, sorting one key an object, writing the pairs.
std::vector<ContenderEntry> floors();

// "tile_sweep,sweep:axis=x,brute_force": names with options after colons. "all" is every method, "none" no
// one. Throws Error for unknown names and options.
std::vector<ContenderEntry> parse_methods(std::string_view list);
std::vector<ContenderEntry> parse_peers(std::string_view list);

}  // namespace winnow::bench
