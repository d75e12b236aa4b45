// Peers against the least program that uses the same library: they must cost the same, or the comparison is
// not fair to them.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/compare.hpp"
#include "bench/process.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

constexpr std::size_t kFrames = 12, kRounds = 5;

// A file that goes when the object goes.
class TemporaryFrames {
 public:
  explicit TemporaryFrames(const Heat& heat)
      : path_(std::filesystem::temp_directory_path() / fmt::format("winnow-frames-{}", std::rand())) {
    std::ofstream file(path_, std::ios::binary);
    const FrameSource next = opener(heat)();
    for (std::vector<Box3> boxes; next(boxes);)
      file.write(reinterpret_cast<const char*>(boxes.data()),
                 static_cast<std::streamsize>(boxes.size() * sizeof(Box3)));
    if (!file.flush()) throw Error("file", path_.string() + ": cannot be written");
  }
  ~TemporaryFrames() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

double standalone_ms(const std::string& library, const std::string& frames, std::size_t objects) {
  const std::string program =
      std::filesystem::canonical("/proc/self/exe").parent_path() / ("winnow-standalone-" + library);
  const auto output = output_of({program, frames, std::to_string(objects), std::to_string(kFrames)});
  if (!output) throw Error("program", program + ": did not run");
  return std::strtod(output->c_str(), nullptr);
}

// Turn by turn, so that both see the same machine; the fastest round of each counts.
void run_peers(const ReproduceOptions&) {
  struct Check {
    const char* peer;
    const char* library;
  };
  std::vector<Check> checks;
  for (const Check& check : {Check{"bullet_dbvt_d", "bullet"}, {"cgal_boxes", "cgal"}, {"embree", "embree"}})
    for (const CandidateEntry& entry : peers())
      if (entry.info.name == check.peer) checks.push_back(check);

  Table table({"peer", "scene", "objects", "stand-alone ms", "here ms", "here / stand-alone", "within 25 %"},
              2);
  for (const char* scene : {"brownian", "gravity"}) {
    for (const std::size_t objects : {16000, 64000}) {
      Heat heat{parse_scene(scene), 0, {}};
      heat.scene.objects = objects;
      heat.race.warmup = 1;
      heat.race.frames = kFrames - 1;
      const TemporaryFrames frames(heat);
      for (const auto& [peer, library] : checks) {
        double alone = 1e300, here = 1e300;
        for (std::size_t round = 0; round < kRounds; ++round) {
          alone = std::min(alone, standalone_ms(library, frames.path(), objects));
          const RaceReport report = race(parse_peers(peer), opener(heat), heat.race);
          here = std::min(here, summarise(report.results[0].ms.total).median);
        }
        table.add({peer, scene, std::to_string(objects), figure(alone), figure(here), figure(here / alone),
                   here <= 1.25 * alone && alone <= 1.25 * here ? "yes" : "NO"});
      }
    }
  }
  table.print();
}

const Reproduction peers_item("peers", "peers against the least program that uses the same library",
                              run_peers);

}  // namespace
}  // namespace winnow::bench
