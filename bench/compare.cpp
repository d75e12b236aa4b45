// The frames of a race, the records it leaves, and their table.
#include "bench/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/table.hpp"
#include "bench/text.hpp"
#include "record/machine.hpp"
#include "record/run_record.hpp"
#include "winnow/error.hpp"
#include "winnow/simd.hpp"

namespace winnow::bench {
namespace {

void copy_frame(const scene::Scene& scene, std::vector<Box3>& boxes) {
  boxes.resize(scene.objects());
  if (scene.dim() == 3) {
    const BoxesView<3> view = scene.boxes<3>();
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = view[i];
  } else {
    const BoxesView<2> view = scene.boxes<2>();
    for (std::size_t i = 0; i < boxes.size(); ++i)
      boxes[i] = {{view.lo(0, i), view.lo(1, i), 0}, {view.hi(0, i), view.hi(1, i), 0}};
  }
}

// Frame by frame, so that a slow frame of the scene or of the machine weighs on both sides.
nlohmann::json median_ratio(const std::vector<double>& ms, const std::vector<double>& baseline) {
  const std::size_t frames = std::min(ms.size(), baseline.size());
  if (frames == 0) return nullptr;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < frames; ++i) ratios.push_back(ms[i] / baseline[i]);
  return summarise(ratios).median;
}

nlohmann::json machine_with_peers() {
  nlohmann::json machine = record::machine();
  for (const ContenderEntry& peer : peers()) machine["peers"][peer.info.name] = peer.info.source;
  return machine;
}

// What a contender's record has in common with that of `winnow run`.
record::RunRecord run_record(const RaceSetup& setup, const RaceReport& report, const Result& result) {
  const std::vector<std::string> parts = split(result.info.name, ':');
  Settings options;
  for (std::size_t k = 1; k < parts.size(); ++k) options.push_back(parse_setting(parts[k]));
  return {.scene = setup.scene.scene,
          .objects = report.objects,
          .frames = report.frames,
          .seed = setup.scene.seed,
          .scene_settings = setup.scene.settings,
          .method = parts[0],
          .method_settings = options,
          .threads = setup.race.threads,
          .simd = std::string(to_string(simd_level())),
          .ms = {result.ms.update, result.ms.search},
          .candidates = result.candidates,
          .digest = result.info.kind == "floor" ? report.digest : result.digest,
          .memory_bytes = result.memory_bytes};
}

std::string cell(const nlohmann::json& value, const std::string& suffix = "") {
  return value.is_number() ? figure(value.get<double>()) + suffix : "-";
}

std::string phase(const nlohmann::json& record, const char* name, const char* statistic) {
  const nlohmann::json& ms = record["ms"];
  return ms.is_object() && ms.contains(name) ? cell(ms[name][statistic]) : "-";
}

std::string memory(const nlohmann::json& bytes) {
  return bytes.is_number() ? fmt::format("{:.1f}", bytes.get<double>() / 1e6) : "-";
}

std::string title(const nlohmann::json& record) {
  std::string scene = record["scene"];
  for (const auto& [name, value] : record["scene_options"].items())
    scene += fmt::format(", {} {}", name, value.get<std::string>());
  return fmt::format("{}: {} objects, {} pairs per frame, {} frames, {} thread{}", scene,
                     record["objects"].get<std::size_t>(), figure(record["pairs_per_frame"].get<double>()),
                     record["frames"].get<std::size_t>(), record["threads"].get<std::size_t>(),
                     record["threads"] == 1 ? "" : "s");
}

}  // namespace

scene::SceneRequest parse_scene(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.empty()) throw Error("scene", "scene: an empty name");
  scene::SceneRequest request;
  request.scene = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) request.settings.push_back(parse_setting(parts[i]));
  return request;
}

SceneOpener opener(const RaceSetup& setup) {
  return [setup]() -> FrameSource {
    scene::SceneRequest request = setup.scene;
    request.frames = setup.skip + setup.race.warmup + setup.race.frames;
    const std::shared_ptr<Executor> executor = make_executor(0);
    const std::shared_ptr<scene::Scene> scene = open_scene(request);
    for (std::size_t i = 0; i < setup.skip; ++i) scene->next(*executor);
    return [scene, executor](std::vector<Box3>& boxes) {
      if (!scene->next(*executor)) return false;
      copy_frame(*scene, boxes);
      return true;
    };
  };
}

std::vector<nlohmann::json> records(const RaceSetup& setup, const RaceReport& report,
                                    const std::vector<std::size_t>& peaks, const std::string& baseline,
                                    const std::string& command) {
  const nlohmann::json machine = machine_with_peers();
  const double floor_ms = report.floor_ms();
  std::vector<nlohmann::json> lines;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const Result& result = report.results[i];
    const bool timed = !result.ms.total.empty();
    nlohmann::json line = record::to_json(run_record(setup, report, result));
    if (!timed) line["ms"] = nullptr;
    if (timed && result.info.enlarges) line["ms"]["filter"] = record::to_json(summarise(result.ms.filter));
    line["kind"] = result.info.kind;
    line["name"] = result.info.name;
    line["summary"] = result.info.summary;
    line["source"] = result.info.source;
    line["exact"] = result.exact;
    line["fault"] = result.fault;
    line["first_frame"] = setup.skip + setup.race.warmup;
    line["samples"] = result.ms.total.size();
    line["baseline"] = baseline;
    line["ratio"] = median_ratio(result.ms.total, report.result(baseline).ms.total);
    line["floors"] = nullptr;
    if (timed && floor_ms > 0) line["floors"] = line["ms"]["total"]["median"].get<double>() / floor_ms;
    line["peak_memory_bytes"] = nullptr;
    if (i < peaks.size() && peaks[i] != 0) line["peak_memory_bytes"] = peaks[i];
    line["command"] = command;
    line["machine"] = machine;
    lines.push_back(std::move(line));
  }
  return lines;
}

void print_records(const std::vector<nlohmann::json>& records) {
  fmt::print("\n{}\n", title(records.at(0)));
  Table table({"", "ms", "half of the frames", "fastest", "update", "search", "filter", "ratio", "floors",
               "peak MB"});
  for (const nlohmann::json& r : records) {
    if (!r["ms"].is_object()) continue;
    table.add({r["name"], phase(r, "total", "median"),
               phase(r, "total", "q1") + " - " + phase(r, "total", "q3"), phase(r, "total", "min"),
               phase(r, "update", "median"), phase(r, "search", "median"), phase(r, "filter", "median"),
               cell(r["ratio"], "x"), cell(r["floors"], "x"), memory(r["peak_memory_bytes"])});
  }
  table.print();
  fmt::print("ratio: time over that of {}; floors: time over the fastest of each floor together\n",
             records[0]["baseline"].get<std::string>());
  for (const nlohmann::json& r : records)
    if (const std::string fault = r["fault"]; !fault.empty())
      fmt::print("{}: {}\n", r["name"].get<std::string>(), fault);
  std::fflush(stdout);
}

}  // namespace winnow::bench
