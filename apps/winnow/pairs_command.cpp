// winnow pairs: the overlapping pairs of the boxes in a file.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "io/boxes_file.hpp"
#include "io/pairs_file.hpp"
#include "winnow/find_pairs.hpp"
#include "winnow/registry.hpp"
#include "winnow/simd.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kPairsExamples =
    R"(FILE is CSV: a box a line, lower then upper bounds, 6 numbers or 4 in 2D; a
header line may come first. Or .npy: n x 6 or n x 4, float32 or float64.
Pairs are the row numbers of the two boxes, counted from 0, smaller first.
They go to standard output unless --out, --count or --json is given.

Examples:
  winnow pairs boxes.csv                            pairs to the terminal
  winnow pairs boxes.csv --out pairs.csv            to a file, or to pairs.npy
  winnow pairs boxes.npy --count                    only how many there are
  winnow pairs boxes.npy --method brute_force --threads 1 --simd scalar
  winnow pairs boxes.npy --json --out pairs.npy     summary for machines
  sort -u boxes.csv | winnow pairs - --canonical    from a pipe, pairs sorted)";

struct PairsRequest {
  std::string file;
  std::string method{default_method()};
  std::vector<std::string> settings;
  std::size_t threads = 0;
  std::string simd;
  std::string out;
  bool count = false;
  bool canonical = false;
  bool json = false;

  bool writes_pairs() const { return !out.empty() || (!count && !json); }
};

struct Seconds {
  double read = 0, search = 0, write = 0;
};

struct PairsOutcome {
  int dim = 3;
  std::size_t boxes = 0;
  bool is_double = false;
  PairDigest digest;
  MethodStats stats;
  Seconds seconds;
};

class Stopwatch {
 public:
  // Seconds since the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(begin_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Settings parsed(const std::vector<std::string>& texts) {
  Settings settings;
  for (const std::string& text : texts) settings.push_back(parse_setting(text));
  return settings;
}

std::unique_ptr<io::Output> open_output(const PairsRequest& request) {
  if (!request.writes_pairs()) return nullptr;
  if (request.out.empty()) return std::make_unique<io::StandardOutput>();
  io::pair_format_of(request.out);  // refuses a wrong ending before anything is made
  return std::make_unique<io::AtomicFile>(request.out);
}

void write(const PairsRequest& request, io::Output& output, std::span<const std::span<const Pair>> parts,
           PairsOutcome& outcome) {
  io::write_pairs(output, request.out.empty() ? io::PairFormat::csv : io::pair_format_of(request.out), parts);
  output.commit();
  for (const auto part : parts) outcome.digest.add(part);
}

// Calls find(sink) and hands the pairs on: to the output in the order asked for, or, without one, only their
// number and digest to the outcome.
template <class Find>
void find_and_write(const PairsRequest& request, Executor& executor, io::Output* output, Progress& progress,
                    Find find, PairsOutcome& outcome) {
  Stopwatch watch;
  const auto search = [&](PairSink& sink) {
    progress.phase("finding pairs of " + counted(outcome.boxes, "box", "boxes"));
    find(sink);
    outcome.seconds.search = watch.lap();
    progress.phase("writing pairs");
  };
  if (output == nullptr) {
    DigestSink sink;
    search(sink);
    outcome.digest = sink.digest();
  } else if (request.canonical) {
    CanonicalSink sink(executor);
    search(sink);
    write(request, *output, {{sink.pairs()}}, outcome);
  } else {
    CollectSink sink;
    search(sink);
    std::vector<std::span<const Pair>> parts;
    for (std::size_t i = 0; i < sink.parts(); ++i) parts.push_back(sink.part(i));
    write(request, *output, parts, outcome);
  }
  outcome.seconds.write = watch.lap();
}

PairsOutcome run(const PairsRequest& request, Executor& executor) {
  const Settings settings = parsed(request.settings);
  make_method<3>(request.method, settings);  // refuses bad names and values before a long read
  const std::unique_ptr<io::Output> output = open_output(request);
  Progress progress;
  PairsOutcome outcome;
  Stopwatch watch;

  progress.phase("reading boxes");
  const io::BoxTable table = io::read_boxes(request.file);
  outcome.seconds.read = watch.lap();
  outcome.dim = table.dim();
  outcome.boxes = table.size();
  outcome.is_double = table.is_double();

  table.visit([&]<int Dim, class Real>(BoxesView<Dim, Real> boxes) {
    AnyMethod<Dim> method = make_method<Dim>(request.method, settings);
    const auto find = [&](PairSink& sink) { find_pairs(boxes, method, executor, sink); };
    find_and_write(request, executor, output.get(), progress, find, outcome);
    outcome.stats = method.stats();
  });
  return outcome;
}

nlohmann::ordered_json as_json(const PairsRequest& request, const Executor& executor,
                               const PairsOutcome& outcome) {
  nlohmann::ordered_json details = nlohmann::ordered_json::object();
  for (const Stat& stat : outcome.stats.details)
    std::visit([&](const auto& value) { details[stat.name] = value; }, stat.value);
  return {{"file", request.file},
          {"boxes", outcome.boxes},
          {"dim", outcome.dim},
          {"precision", outcome.is_double ? "float64" : "float32"},
          {"pairs", outcome.digest.count},
          {"digest", outcome.digest.hex()},
          {"out", request.out.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(request.out)},
          {"method", request.method},
          {"settings", request.settings},
          {"threads", executor.workers()},
          {"simd", to_string(simd_level())},
          {"seconds",
           {{"read", outcome.seconds.read},
            {"search", outcome.seconds.search},
            {"write", outcome.seconds.write}}},
          {"candidates", outcome.stats.candidates},
          {"memory_bytes", outcome.stats.memory_bytes},
          {"details", details}};
}

void summarise(const PairsRequest& request, const Executor& executor, const PairsOutcome& outcome) {
  fmt::print(stderr, "{} of {} in {} ({}, {})\n", counted(outcome.digest.count, "pair", "pairs"),
             counted(outcome.boxes, "box", "boxes"), duration(outcome.seconds.search), request.method,
             counted(executor.workers(), "thread", "threads"));
  if (!request.out.empty()) fmt::print(stderr, "written to {}\n", request.out);
}

void pairs(const PairsRequest& request) {
  if (!request.simd.empty()) set_simd_level(parse_simd_level(request.simd));
  const std::unique_ptr<Executor> executor = make_executor(request.threads);
  const PairsOutcome outcome = run(request, *executor);
  io::StandardOutput standard_output;
  if (request.json)
    standard_output.write(as_json(request, *executor, outcome).dump(2) + "\n");
  else if (request.count)
    standard_output.write(std::to_string(outcome.digest.count) + "\n");
  if (!request.json) summarise(request, *executor, outcome);
}

}  // namespace

void add_pairs_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("pairs", "find all overlapping pairs of the boxes in a file");
  command->footer(kPairsExamples);
  const auto request = std::make_shared<PairsRequest>();
  command->add_option("FILE", request->file, "boxes, .csv or .npy; - for standard input")
      ->required()
      ->option_text(" ");
  command->add_option("-m,--method", request->method, "how to find them [" + request->method + "]")
      ->option_text("NAME");
  command->add_option("--set", request->settings, "an option of the method; may be repeated")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("-t,--threads", request->threads, "how many; 0: all the machine has [0]")
      ->check(CLI::Range(std::size_t{0}, kMostThreads))
      ->option_text("N");
  command->add_option("--simd", request->simd, "use no better instructions: scalar, sse4, avx2")
      ->option_text("LEVEL");
  command->add_option("-o,--out", request->out, "write the pairs here, .csv or .npy")->option_text("FILE");
  command->add_flag("--count", request->count, "print only the number of pairs");
  command->add_flag("--canonical", request->canonical, "sort the pairs by first, then second box");
  command->add_flag("--json", request->json, "print a summary as JSON instead of the pairs");
  command->callback([request] { pairs(*request); });
}

}  // namespace winnow::cli
