#include "bench/contender.hpp"

#include <algorithm>

#include "bench/text.hpp"
#include "bench/timing.hpp"
#include "winnow/error.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

class Method final : public Contender {
 public:
  Method(AnyMethod<3> method, std::size_t threads)
      : method_(std::move(method)), executor_(make_executor(threads)) {}

  void expect(std::uint64_t) override { wake(*executor_); }
  void update(std::span<const Box3> boxes) override { method_.update(boxes, *executor_); }
  void find_pairs(PairSink& pairs) override { method_.find_pairs(*executor_, pairs); }
  std::uint64_t candidates() const override { return method_.stats().candidates; }
  std::size_t memory_bytes() const override { return method_.stats().memory_bytes; }

 private:
  AnyMethod<3> method_;
  std::unique_ptr<Executor> executor_;
};

// "sweep:axis=x" with its options; they are tried at once, so that a mistake shows before anything runs.
ContenderEntry method_entry(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  const MethodEntry& entry = find_method(parts.at(0));
  Settings settings;
  for (std::size_t i = 1; i < parts.size(); ++i) settings.push_back(parse_setting(parts[i]));
  entry.make_3d(settings);
  const std::size_t max_objects = entry.info.name == "brute_force" ? 20000 : 0;
  return {{.kind = "method",
           .name = text,
           .summary = entry.info.summary,
           .source = entry.info.paper,
           .parallel = true,
           .max_objects = max_objects},
          [make = entry.make_3d, settings](std::size_t threads) -> std::unique_ptr<Contender> {
            return std::make_unique<Method>(make(settings), threads);
          }};
}

std::vector<ContenderEntry>& registered_peers() {
  static std::vector<ContenderEntry> entries;
  return entries;
}

}  // namespace

Peer::Peer(ContenderInfo info, std::function<std::unique_ptr<Contender>(std::size_t threads)> make) {
  info.kind = "peer";
  registered_peers().push_back({std::move(info), std::move(make)});
}

std::vector<ContenderEntry> peers() {
  std::vector<ContenderEntry> entries = registered_peers();
  std::ranges::sort(entries, {}, [](const ContenderEntry& entry) { return entry.info.name; });
  return entries;
}

std::vector<ContenderEntry> parse_methods(std::string_view list) {
  std::vector<ContenderEntry> entries;
  if (list == "none") return entries;
  if (list == "all") {
    for (const MethodEntry& entry : methods()) entries.push_back(method_entry(entry.info.name));
    return entries;
  }
  for (const std::string& text : split(list, ',')) entries.push_back(method_entry(text));
  return entries;
}

std::vector<ContenderEntry> parse_peers(std::string_view list) {
  const std::vector<ContenderEntry> known = peers();
  if (list == "none") return {};
  if (list == "all") return known;
  std::string names;
  for (const ContenderEntry& entry : known) names += (names.empty() ? "" : ", ") + entry.info.name;
  std::vector<ContenderEntry> entries;
  for (const std::string& name : split(list, ',')) {
    const auto found = std::ranges::find(known, name, [](const ContenderEntry& e) { return e.info.name; });
    if (found == known.end())
      throw Error("peers", "peers: this build has no '" + name + "'; it has " + names);
    entries.push_back(*found);
  }
  return entries;
}

}  // namespace winnow::bench
