// winnow-bench compare: methods and peers on the same frames, side by side.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "bench/commands.hpp"
#include "bench/compare.hpp"
#include "bench/peak_memory.hpp"
#include "bench/progress.hpp"
#include "bench/text.hpp"
#include "winnow/error.hpp"
#include "winnow/registry.hpp"

namespace winnow::bench {
namespace {

struct CompareArguments {
  std::vector<std::string> scenes;
  std::string objects = "16000", threads = "1";
  std::string methods = "all", peers = "all", baseline;
  std::size_t skip = 0;
  std::uint64_t seed = 1;
  RaceOptions race;
  bool no_memory = false;
  std::string command;
  std::string json;
};

volatile std::sig_atomic_t stop_asked = 0;

std::vector<RaceSetup> setups(const CompareArguments& arguments) {
  std::vector<RaceSetup> list;
  for (const std::string& scene : arguments.scenes)
    for (const std::size_t objects : parse_counts(arguments.objects, "-n"))
      for (const std::size_t threads : parse_counts(arguments.threads, "--threads")) {
        RaceSetup setup{parse_scene(scene), arguments.skip, arguments.race};
        setup.scene.objects = objects;
        setup.scene.seed = arguments.seed;
        setup.race.threads = threads;
        list.push_back(setup);
      }
  return list;
}

// The default method if it takes part, else the first method, else the first peer.
std::string choose_baseline(const std::string& asked, const std::vector<ContenderEntry>& entries) {
  std::string first;
  for (const ContenderEntry& entry : entries) {
    if (!asked.empty() ? entry.info.name == asked : entry.info.name == default_method())
      return entry.info.name;
    if (first.empty() && entry.info.kind != "floor") first = entry.info.name;
  }
  if (!asked.empty()) throw Error("baseline", "baseline: '" + asked + "' is not among the contenders");
  if (first.empty()) throw Error("methods", "compare: there is nobody to compare");
  return first;
}

std::vector<std::size_t> peaks_of(const RaceReport& report, const RaceSetup& setup) {
  std::vector<std::size_t> peaks;
  for (const Result& result : report.results) {
    const bool wanted = result.info.kind != "floor" && !result.ms.total.empty() && !stop_asked;
    peaks.push_back(wanted ? peak_memory(result.info, setup) : 0);
  }
  return peaks;
}

// Records go to the file race by race, so that an interrupted run keeps what it has.
void compare(const CompareArguments& arguments) {
  std::vector<ContenderEntry> entries = parse_methods(arguments.methods);
  for (ContenderEntry& entry : parse_peers(arguments.peers)) entries.push_back(std::move(entry));
  const std::string baseline = choose_baseline(arguments.baseline, entries);
  for (ContenderEntry& entry : floors()) entries.push_back(std::move(entry));
  const std::vector<RaceSetup> all = setups(arguments);
  std::ofstream json;
  if (!arguments.json.empty()) {
    json.open(arguments.json);
    if (!json) throw Error("json", arguments.json + ": cannot be written");
  }

  const auto previous = std::signal(SIGINT, [](int) { stop_asked = 1; });
  Progress progress;
  for (const RaceSetup& setup : all) progress.expect(setup.scene.objects);
  bool all_exact = true;
  for (const RaceSetup& setup : all) {
    if (stop_asked) break;
    const RaceReport report = race(entries, opener(setup), setup.race, [&](std::size_t done, std::size_t of) {
      progress.show(fmt::format("{} {} x{}", setup.scene.scene, setup.scene.objects, setup.race.threads),
                    done, of);
      return !stop_asked;
    });
    const std::vector<std::size_t> peaks =
        arguments.no_memory ? std::vector<std::size_t>{} : peaks_of(report, setup);
    progress.finish_part();
    if (report.frames == 0) continue;
    const std::vector<nlohmann::json> lines = records(setup, report, peaks, baseline, arguments.command);
    print_records(lines);
    for (const nlohmann::json& line : lines) {
      json << line.dump() << '\n';
      all_exact = all_exact && line["exact"].get<bool>();
    }
    if (json.is_open() && !json.flush()) throw Error("json", arguments.json + ": cannot be written");
  }
  std::signal(SIGINT, previous);
  if (stop_asked)
    fmt::print(stderr, "winnow-bench: stopped; what was measured is above{}\n",
               arguments.json.empty() ? "" : " and in " + arguments.json);
  if (!all_exact) throw CLI::RuntimeError(1);
}

}  // namespace

void add_compare_command(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("compare", "methods and peers on the same frames, side by side");
  const auto arguments = std::make_shared<CompareArguments>();
  arguments->command = command_line;
  command
      ->add_option("scene", arguments->scenes,
                   "scenes or recordings; options after colons: gravity:shapes=assorted")
      ->required();
  command->add_option("-n,--objects", arguments->objects, "objects: a list such as 1000,16k,1M")
      ->capture_default_str();
  command->add_option("--methods", arguments->methods, "all, none, or a list; options after colons")
      ->capture_default_str();
  command->add_option("--peers", arguments->peers, "all, none, or a list; see winnow-bench peers")
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "a list of thread counts")->capture_default_str();
  command->add_option("--frames", arguments->race.frames, "frames timed")->capture_default_str();
  command->add_option("--skip", arguments->skip, "frames of the scene left out first")->capture_default_str();
  command->add_option("--warmup", arguments->race.warmup, "frames run before timing starts")
      ->capture_default_str();
  command->add_option("--repeats", arguments->race.repeats, "how often the whole is run")
      ->capture_default_str();
  command
      ->add_option("--slowest", arguments->race.slowest_seconds,
                   "seconds per frame after which a contender stops")
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "of the scenes")->capture_default_str();
  command->add_option("--baseline", arguments->baseline,
                      "whom the ratios are taken to; default: the default method");
  command->add_flag("--no-memory", arguments->no_memory, "spare the processes that measure peak memory");
  command->add_option("--json", arguments->json, "write the records to this file, one a line");
  command->callback([arguments] { compare(*arguments); });
}

void add_peers_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("peers", "list the libraries this build compares with");
  command->callback([] {
    for (const ContenderEntry& peer : peers())
      fmt::print("{:<18} {}\n{:<18} {}\n", peer.info.name, peer.info.summary, "", peer.info.source);
    if (*WINNOW_BENCH_MISSING != 0) fmt::print("\nnot in this build:{}\n", WINNOW_BENCH_MISSING);
  });
}

}  // namespace winnow::bench
