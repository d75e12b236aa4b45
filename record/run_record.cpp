#include "record/run_record.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "winnow/executor.hpp"
#include "winnow/version.hpp"

namespace winnow::record {
namespace {

nlohmann::json as_json(const Settings& settings) {
  nlohmann::json json = nlohmann::json::object();
  for (const Setting& setting : settings) json[setting.name] = setting.value;
  return json;
}

nlohmann::json as_json(const Summary& summary) {
  return {{"median", summary.median}, {"min", summary.min}, {"p95", summary.p95}};
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(": ") + 2));
  return "unknown";
}

}  // namespace

std::vector<double> FrameTimes::total() const {
  std::vector<double> sums(update);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += search[i];
  return sums;
}

Summary summarise(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  const double median = (values[last / 2] + values[last - last / 2]) / 2;
  const auto p95 = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(last)));
  return {.median = median, .min = values.front(), .p95 = values[p95]};
}

nlohmann::json machine() {
  return {{"processor", processor()}, {"threads", hardware_threads()}, {"compiler", __VERSION__}};
}

nlohmann::json to_json(const RunRecord& record) {
  const double frames = static_cast<double>(std::max<std::size_t>(record.frames, 1));
  return {{"winnow", kVersion},
          {"scene", record.scene},
          {"objects", record.objects},
          {"frames", record.frames},
          {"seed", record.seed},
          {"scene_options", as_json(record.scene_settings)},
          {"method", record.method},
          {"options", as_json(record.method_settings)},
          {"threads", record.threads},
          {"simd", record.simd},
          {"pairs_per_frame", static_cast<double>(record.digest.count) / frames},
          {"candidates_per_frame", static_cast<double>(record.candidates) / frames},
          {"digest", record.digest.hex()},
          {"ms",
           {{"update", as_json(summarise(record.ms.update))},
            {"search", as_json(summarise(record.ms.search))},
            {"total", as_json(summarise(record.ms.total()))}}},
          {"memory_bytes", record.memory_bytes},
          {"machine", machine()}};
}

}  // namespace winnow::record
