#include "record/run_record.hpp"

#include <algorithm>

#include "record/machine.hpp"
#include "record/summary.hpp"
#include "winnow/version.hpp"

namespace winnow::record {

std::vector<double> FrameTimes::total() const {
  std::vector<double> sums(update);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += search[i];
  return sums;
}

nlohmann::json to_json(const Settings& settings) {
  nlohmann::json json = nlohmann::json::object();
  for (const Setting& setting : settings) json[setting.name] = setting.value;
  return json;
}

nlohmann::json to_json(const RunRecord& record) {
  const double frames = static_cast<double>(std::max<std::size_t>(record.frames, 1));
  return {{"winnow", kVersion},
          {"scene", record.scene},
          {"objects", record.objects},
          {"frames", record.frames},
          {"seed", record.seed},
          {"scene_options", to_json(record.scene_settings)},
          {"method", record.method},
          {"options", to_json(record.method_settings)},
          {"threads", record.threads},
          {"simd", record.simd},
          {"pairs_per_frame", static_cast<double>(record.digest.count) / frames},
          {"candidates_per_frame", static_cast<double>(record.candidates) / frames},
          {"digest", record.digest.hex()},
          {"ms",
           {{"update", to_json(summarise(record.ms.update))},
            {"search", to_json(summarise(record.ms.search))},
            {"total", to_json(summarise(record.ms.total()))}}},
          {"memory_bytes", record.memory_bytes},
          {"machine", machine()}};
}

}  // namespace winnow::record
