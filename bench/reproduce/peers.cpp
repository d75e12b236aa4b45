// Peers against the least program that uses the same library: they must cost the same, or the comparison is
// not fair to them.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/compare.hpp"
#include "bench/process.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "bench/table.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

constexpr std::size_t kFrames = 12, kRounds = 5;

// Peers, and the stand-alone program of bench/standalone/ each is held against.
const std::map<std::string, std::string> kStandalone = {
    {"bullet_dbvt_d", "bullet"}, {"cgal_boxes", "cgal"}, {"embree", "embree"}};

using Frames = std::vector<std::vector<Box3>>;

Frames make_frames(const std::string& scene, std::size_t objects) {
  RaceSetup setup{parse_scene(scene), 0, {}};
  setup.scene.objects = objects;
  setup.race.frames = kFrames - setup.race.warmup;
  Frames frames(kFrames);
  const FrameSource next = opener(setup)();
  for (std::vector<Box3>& boxes : frames) next(boxes);
  return frames;
}

// A file that goes when the object goes.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Frames& frames)
      : path_(std::filesystem::temp_directory_path() / fmt::format("winnow-frames-{}", getpid())) {
    std::ofstream file(path_, std::ios::binary);
    for (const std::vector<Box3>& boxes : frames)
      file.write(reinterpret_cast<const char*>(boxes.data()),
                 static_cast<std::streamsize>(boxes.size() * sizeof(Box3)));
    if (!file.flush()) throw Error("file", path_.string() + ": cannot be written");
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// Each in a process of its own.
double ms_of(std::vector<std::string> words, const std::string& file, std::size_t objects) {
  words.insert(words.end(), {file, std::to_string(objects), std::to_string(kFrames)});
  const auto output = output_of(words);
  if (!output) throw Error("program", words[0] + ": did not run");
  return std::strtod(output->c_str(), nullptr);
}

double standalone_ms(const std::string& library, const std::string& file, std::size_t objects) {
  const auto folder = std::filesystem::canonical("/proc/self/exe").parent_path();
  return ms_of({folder / ("winnow-standalone-" + library)}, file, objects);
}

double here_ms(const std::string& peer, const std::string& file, std::size_t objects) {
  return ms_of({"/proc/self/exe", "peer-time", peer}, file, objects);
}

// Turn by turn, so that both see the same machine; the fastest round of each counts.
void run_peers(const ReproduceOptions&) {
  Table table({"peer", "scene", "objects", "stand-alone ms", "here ms", "here / stand-alone", "within 25 %"},
              2);
  for (const char* scene : {"brownian", "gravity"}) {
    for (const std::size_t objects : {16000, 64000}) {
      const Frames frames = make_frames(scene, objects);
      const TemporaryFile file(frames);
      for (const ContenderEntry& entry : peers()) {
        const auto library = kStandalone.find(entry.info.name);
        if (library == kStandalone.end()) continue;
        double alone = 1e300, here = 1e300;
        for (std::size_t round = 0; round < kRounds; ++round) {
          alone = std::min(alone, standalone_ms(library->second, file.path(), objects));
          here = std::min(here, here_ms(entry.info.name, file.path(), objects));
        }
        table.add({entry.info.name, scene, std::to_string(objects), figure(alone), figure(here),
                   figure(here / alone), here <= 1.25 * alone && alone <= 1.25 * here ? "yes" : "NO"});
      }
    }
  }
  table.print();
}

const Reproduction peers_item("peers", "peers against the least program that uses the same library",
                              run_peers);

}  // namespace
}  // namespace winnow::bench
