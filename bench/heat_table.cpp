// The table of a heat.
#include <fmt/format.h>

#include "bench/compare.hpp"
#include "bench/table.hpp"

namespace winnow::bench {
namespace {

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
  return fmt::format("{}: {} objects, {} pairs a frame, {} frames, {} thread{}", scene,
                     record["objects"].get<std::size_t>(), figure(record["pairs_per_frame"].get<double>()),
                     record["frames"].get<std::size_t>(), record["threads"].get<std::size_t>(),
                     record["threads"] == 1 ? "" : "s");
}

}  // namespace

void print_heat(const std::vector<nlohmann::json>& records) {
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
