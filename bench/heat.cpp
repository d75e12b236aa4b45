// Frames of a heat, and the records that a race over them leaves.
#include <algorithm>
#include <cmath>

#include "bench/compare.hpp"
#include "bench/machine.hpp"
#include "bench/text.hpp"
#include "winnow/error.hpp"
#include "winnow/simd.hpp"
#include "winnow/version.hpp"

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

nlohmann::json as_json(const std::vector<double>& ms) {
  const Summary s = summarise(ms);
  return {{"median", s.median}, {"min", s.min}, {"p95", s.p95}, {"q1", s.quartile1}, {"q3", s.quartile3}};
}

nlohmann::json as_json(const Settings& settings) {
  nlohmann::json json = nlohmann::json::object();
  for (const Setting& setting : settings) json[setting.name] = setting.value;
  return json;
}

// Frame by frame, so that a slow frame of the scene or of the machine weighs on both sides.
nlohmann::json median_ratio(const std::vector<double>& ms, const std::vector<double>& baseline) {
  const std::size_t frames = std::min(ms.size(), baseline.size());
  if (frames == 0) return nullptr;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < frames; ++i) ratios.push_back(ms[i] / baseline[i]);
  return summarise(ratios).median;
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

SceneOpener opener(const Heat& heat) {
  return [heat]() -> FrameSource {
    scene::SceneRequest request = heat.scene;
    request.frames = heat.skip + heat.race.warmup + heat.race.frames;
    const std::shared_ptr<Executor> executor = make_executor(0);
    const std::shared_ptr<scene::Scene> scene = open_scene(request);
    for (std::size_t i = 0; i < heat.skip; ++i) scene->next(*executor);
    return [scene, executor](std::vector<Box3>& boxes) {
      if (!scene->next(*executor)) return false;
      copy_frame(*scene, boxes);
      return true;
    };
  };
}

std::vector<nlohmann::json> records(const Heat& heat, const RaceReport& report, const std::string& baseline,
                                    const std::vector<std::size_t>& peaks) {
  const Result* base = nullptr;
  for (const Result& result : report.results)
    if (result.info.name == baseline) base = &result;
  const double floor_ms = report.floor_ms();
  const double frames = static_cast<double>(std::max<std::size_t>(report.frames, 1));

  std::vector<nlohmann::json> lines;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const Result& result = report.results[i];
    const bool timed = !result.ms.total.empty();
    const double total = summarise(result.ms.total).median;
    nlohmann::json ms = nullptr;
    if (timed) {
      ms = {{"update", as_json(result.ms.update)},
            {"search", as_json(result.ms.search)},
            {"total", as_json(result.ms.total)}};
      if (result.info.enlarges) ms["filter"] = as_json(result.ms.filter);
    }
    const std::vector<std::string> parts = split(result.info.name, ':');
    Settings options;
    for (std::size_t k = 1; k < parts.size(); ++k) options.push_back(parse_setting(parts[k]));
    lines.push_back(
        {{"winnow", kVersion},
         {"kind", result.info.kind},
         {"name", result.info.name},
         {"summary", result.info.summary},
         {"source", result.info.source},
         {"scene", heat.scene.scene},
         {"scene_options", as_json(heat.scene.settings)},
         {"objects", report.objects},
         {"frames", report.frames},
         {"first_frame", heat.skip + heat.race.warmup},
         {"samples", result.ms.total.size()},
         {"seed", heat.scene.seed},
         {"method", parts[0]},
         {"options", as_json(options)},
         {"threads", heat.race.threads},
         {"simd", to_string(simd_level())},
         {"pairs_per_frame", static_cast<double>(report.digest.count) / frames},
         {"candidates_per_frame", static_cast<double>(result.candidates) / frames},
         {"digest", report.digest.hex()},
         {"exact", result.exact},
         {"fault", result.fault},
         {"ms", ms},
         {"baseline", baseline},
         {"ratio", base != nullptr ? median_ratio(result.ms.total, base->ms.total) : nlohmann::json()},
         {"floors", timed && floor_ms > 0 ? nlohmann::json(total / floor_ms) : nlohmann::json()},
         {"memory_bytes", result.memory_bytes},
         {"peak_memory_bytes",
          i < peaks.size() && peaks[i] != 0 ? nlohmann::json(peaks[i]) : nlohmann::json()},
         {"machine", machine()}});
  }
  return lines;
}

}  // namespace winnow::bench
