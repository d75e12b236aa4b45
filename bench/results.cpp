#include "bench/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "bench/table.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

using nlohmann::json;

// The records of one scene and size on one thread, in the order of the files.
struct Group {
  std::string scene;
  std::size_t objects;
  std::vector<const json*> records;

  const json* find(const std::string& name) const {
    for (const json* record : records)
      if ((*record)["name"] == name) return record;
    return nullptr;
  }
};

std::string scene_name(const json& record) {
  std::string name = record["scene"];
  for (const auto& [option, value] : record["scene_options"].items())
    if (option == "objects") name += fmt::format(", {}", value.get<std::string>());
  return name;
}

std::vector<Group> groups(const std::vector<json>& records) {
  std::vector<Group> all;
  for (const json& record : records) {
    if (record["threads"] != 1) continue;
    const std::string scene = scene_name(record);
    const std::size_t objects = record["objects"];
    auto group =
        std::ranges::find_if(all, [&](const Group& g) { return g.scene == scene && g.objects == objects; });
    if (group == all.end()) group = all.insert(all.end(), {scene, objects, {}});
    group->records.push_back(&record);
  }
  std::ranges::stable_sort(all, {}, &Group::objects);
  return all;
}

double total(const json& record) { return record["ms"]["total"]["median"]; }

const json* fastest_peer(const Group& group) {
  const json* best = nullptr;
  for (const json* record : group.records)
    if ((*record)["kind"] == "peer" && (*record)["ms"].is_object() &&
        (best == nullptr || total(*record) < total(*best)))
      best = record;
  return best;
}

std::string cells(const std::vector<std::string>& texts) {
  return fmt::format("| {} |\n", fmt::join(texts, " | "));
}

}  // namespace

std::vector<json> read_records(const std::vector<std::string>& files) {
  std::vector<json> records;
  for (const std::string& file : files) {
    std::ifstream in(file);
    if (!in) throw Error("file", file + ": cannot be read");
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.empty()) continue;
      const json record = json::parse(line, nullptr, false);
      const std::string where = fmt::format("{}:{}: ", file, number);
      if (!record.is_object()) throw Error("file", where + "is not a JSON object");
      for (const char* field : {"kind", "name", "scene", "scene_options", "objects", "threads", "ms", "exact",
                                "baseline", "ratio", "floors", "machine"})
        if (!record.contains(field)) throw Error("file", where + "has no field '" + field + "'");
      records.push_back(record);
    }
  }
  if (records.empty()) throw Error("file", "there are no records in these files");
  return records;
}

std::string headline_table(const std::vector<json>& records) {
  const std::string baseline = records.at(0)["baseline"];
  std::string text = cells({"scene", "objects", "pairs", fmt::format("`{}` ms", baseline), "times the floor",
                            "fastest peer", "its ms", "times as long"});
  text += "|---|--:|--:|--:|--:|---|--:|--:|\n";
  for (const Group& group : groups(records)) {
    const json* ours = group.find(baseline);
    const json* peer = fastest_peer(group);
    if (ours == nullptr || peer == nullptr || !(*ours)["ms"].is_object()) continue;
    text +=
        cells({group.scene, figure(static_cast<double>(group.objects)), figure((*ours)["pairs_per_frame"]),
               figure(total(*ours)), fmt::format("{:.1f}", (*ours)["floors"].get<double>()),
               fmt::format("`{}`", (*peer)["name"].get<std::string>()), figure(total(*peer)),
               fmt::format("**{:.1f}**", (*peer)["ratio"].get<double>())});
  }
  return text;
}

std::string full_table(const std::vector<json>& records) {
  std::vector<std::string> names;
  for (const json& record : records)
    if (record["kind"] != "floor" &&
        std::ranges::find(names, record["name"].get<std::string>()) == names.end())
      names.push_back(record["name"]);
  std::vector<std::string> header = {"scene", "objects"};
  for (const std::string& name : names) header.push_back(fmt::format("`{}`", name));
  std::string text = cells(header) + "|---|";
  for (std::size_t i = 1; i < header.size(); ++i) text += "--:|";
  text += "\n";
  for (const Group& group : groups(records)) {
    std::vector<std::string> row = {group.scene, figure(static_cast<double>(group.objects))};
    for (const std::string& name : names) {
      const json* record = group.find(name);
      row.push_back(record != nullptr && (*record)["ms"].is_object() ? figure(total(*record)) : "-");
    }
    text += cells(row);
  }
  return text;
}

}  // namespace winnow::bench
