// A peer alone in a process, as the stand-alone programs are: the heap that a process has used before makes
// libraries that allocate node by node up to half as slow again.
#include <fmt/format.h>

#include <fstream>

#include "bench/commands.hpp"
#include "bench/contender.hpp"
#include "bench/timing.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

// Nothing else between the frames, the first one not timed.
double median_ms(const ContenderEntry& entry, const std::string& path, std::size_t objects,
                 std::size_t frames) {
  std::ifstream file(path, std::ios::binary);
  const std::unique_ptr<Contender> contender = entry.make(1);
  CollectSink pairs;
  std::vector<Box3> boxes(objects);
  std::vector<double> ms;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    if (!file.read(reinterpret_cast<char*>(boxes.data()),
                   static_cast<std::streamsize>(objects * sizeof(Box3))))
      throw Error("file", path + ": does not hold so many frames");
    const Stopwatch watch;
    contender->update(boxes);
    contender->find_pairs(pairs);
    if (frame != 0) ms.push_back(watch.ms());
  }
  return summarise(std::move(ms)).median;
}

}  // namespace

void add_peer_time_command(CLI::App& app) {
  struct Arguments {
    std::string peer, file;
    std::size_t objects = 0, frames = 0;
  };
  CLI::App* command = app.add_subcommand("peer-time", "ms a frame of one peer (used by reproduce peers)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("peer", arguments->peer, "its name")->required();
  command->add_option("file", arguments->file, "raw boxes, six floats each, frame after frame")->required();
  command->add_option("objects", arguments->objects, "boxes a frame")->required();
  command->add_option("frames", arguments->frames, "at least two")->required()->check(CLI::Range(2, 1000000));
  command->callback([arguments] {
    const std::vector<ContenderEntry> entries = parse_peers(arguments->peer);
    if (entries.size() != 1) throw Error("peer", "peer-time: name one peer");
    fmt::print("{:.6f}\n", median_ms(entries[0], arguments->file, arguments->objects, arguments->frames));
  });
}

}  // namespace winnow::bench
