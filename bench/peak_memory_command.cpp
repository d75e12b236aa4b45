// Peak memory: the program starts itself again, once for each contender, so that nobody's memory is counted
// with another's.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "bench/commands.hpp"
#include "bench/compare.hpp"
#include "bench/peak_memory.hpp"
#include "bench/process.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

// VmRSS, VmHWM in bytes.
std::size_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":"))
      return std::strtoull(line.c_str() + name.size() + 1, nullptr, 10) * 1024;
  return 0;
}

std::string name_with_options(const scene::SceneRequest& scene) {
  std::string text = scene.scene;
  for (const Setting& setting : scene.settings) text += ":" + setting.name + "=" + setting.value;
  return text;
}

// In the child. The frames are made before and stay; what is counted is what comes on top of them.
std::size_t measure_peak(const ContenderEntry& entry, const RaceSetup& setup) {
  std::vector<std::vector<Box3>> frames(setup.race.frames);
  {
    const FrameSource next = opener(setup)();
    for (auto& boxes : frames) next(boxes);
  }
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // resets the high-water mark
  const std::size_t before = status_bytes("VmRSS");
  const std::unique_ptr<Contender> contender = entry.make(setup.race.threads);
  CollectSink pairs;
  for (const auto& boxes : frames) {
    contender->update(boxes);
    contender->find_pairs(pairs);
    if (entry.info.enlarges) contender->filter_pairs(boxes, pairs);
  }
  return status_bytes("VmHWM") - std::min(before, status_bytes("VmHWM"));
}

}  // namespace

std::size_t peak_memory(const ContenderInfo& info, const RaceSetup& setup) {
  const std::optional<std::string> output =
      output_of({"/proc/self/exe", "peak-memory", name_with_options(setup.scene), "-n",
                 std::to_string(setup.scene.objects), "--seed", std::to_string(setup.scene.seed), "--skip",
                 std::to_string(setup.skip), "--threads", std::to_string(setup.race.threads),
                 "--" + info.kind, info.name});
  return output ? std::strtoull(output->c_str(), nullptr, 10) : 0;
}

void add_peak_memory_command(CLI::App& app) {
  struct Arguments {
    std::string scene, method, peer;
    std::size_t objects = 0;
    std::uint64_t seed = 1;
    RaceSetup setup;
  };
  CLI::App* command =
      app.add_subcommand("peak-memory", "bytes one contender adds at its peak (used by compare)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("scene", arguments->scene, "scene, with options after colons")->required();
  command->add_option("-n", arguments->objects, "objects");
  command->add_option("--seed", arguments->seed, "of the scene");
  command->add_option("--skip", arguments->setup.skip, "frames left out first");
  command->add_option("--threads", arguments->setup.race.threads, "threads");
  command->add_option("--method", arguments->method, "one of our methods");
  command->add_option("--peer", arguments->peer, "or a peer");
  command->callback([arguments] {
    RaceSetup& setup = arguments->setup;
    setup.scene = parse_scene(arguments->scene);
    setup.scene.objects = arguments->objects;
    setup.scene.seed = arguments->seed;
    setup.race.warmup = 0;
    setup.race.frames = 2;
    const std::vector<ContenderEntry> entries =
        arguments->peer.empty() ? parse_methods(arguments->method) : parse_peers(arguments->peer);
    if (entries.size() != 1) throw Error("method", "peak-memory: name one method or one peer");
    fmt::print("{}\n", measure_peak(entries[0], setup));
  });
}

}  // namespace winnow::bench
