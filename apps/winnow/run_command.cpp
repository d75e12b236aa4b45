// winnow run: one method over one scene, with the time of its phases.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "commands.hpp"
#include "frame_progress.hpp"
#include "io/file.hpp"
#include "record/measure.hpp"
#include "record/summary.hpp"
#include "scene_arguments.hpp"
#include "winnow/registry.hpp"
#include "winnow/simd.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kRunExamples =
    R"(Times include writing the pairs, not making the frames.

Examples:
  winnow run brownian -n 100000 --frames 20
  winnow run gravity --set objects=assorted --method sweep --threads 2
  winnow run frames.aabbs --json record.json)";

struct RunArguments {
  SceneArguments scene;
  std::string method{default_method()};
  std::size_t threads = 1;
  std::string simd;
  std::string json;
};

void print_phase(const char* name, const std::vector<double>& ms) {
  const record::Summary summary = record::summarise(ms);
  fmt::print("  {:<8} {:>10.4f} {:>10.4f} {:>10.4f}\n", name, summary.median, summary.min, summary.p95);
}

// How many frames took how long, in classes of equal width up to twice the median; the last takes the rest.
void print_histogram(const std::vector<double>& ms) {
  constexpr std::size_t kClasses = 10, kWidth = 40;
  const record::Summary summary = record::summarise(ms);
  const double width = (2 * summary.median - summary.min) / kClasses;
  if (ms.size() < 3 || width <= 0) return;
  std::vector<std::size_t> counts(kClasses, 0);
  for (const double value : ms)
    ++counts[static_cast<std::size_t>(std::min<double>(kClasses - 1, (value - summary.min) / width))];
  const std::size_t highest = *std::max_element(counts.begin(), counts.end());
  fmt::print("\n  ms a frame, from\n");
  for (std::size_t k = 0; k < kClasses; ++k)
    fmt::print("  {:>10.4f}  {:<{}} {}\n", summary.min + width * static_cast<double>(k),
               std::string((counts[k] * kWidth + highest - 1) / highest, '#'), kWidth, counts[k]);
}

void print_record(const record::RunRecord& record) {
  const double frames = static_cast<double>(record.frames);
  fmt::print("{}: {} objects, {} frames, seed {}\n", record.scene, record.objects, record.frames,
             record.seed);
  fmt::print("{}: {} thread{}, {}\n\n", record.method, record.threads, record.threads == 1 ? "" : "s",
             record.simd);
  fmt::print("  {:<8} {:>10} {:>10} {:>10}  ms a frame\n", "phase", "median", "min", "p95");
  print_phase("update", record.ms.update);
  print_phase("search", record.ms.search);
  print_phase("total", record.ms.total());
  fmt::print("\n  pairs      {:.1f} a frame\n", static_cast<double>(record.digest.count) / frames);
  fmt::print("  candidates {:.1f} a frame\n", static_cast<double>(record.candidates) / frames);
  fmt::print("  memory     {:.2f} MB\n", static_cast<double>(record.memory_bytes) / 1e6);
  fmt::print("  digest     {}\n", record.digest.hex());
  print_histogram(record.ms.total());
}

bool scene_has_option(const std::string& scene, const std::string& option) {
  for (const scene::SceneInfo& info : scene::scenes())
    for (const OptionInfo& known : info.options)
      if (info.name == scene && known.name == option) return true;
  return false;
}

// --set is for the scene if it has an option of that name, else for the method.
record::MeasureRequest measure_request(const RunArguments& arguments) {
  record::MeasureRequest request{.scene = arguments.scene.request(),
                                 .method = arguments.method,
                                 .settings = {},
                                 .threads = arguments.threads,
                                 .progress = {}};
  for (const Setting& setting : std::exchange(request.scene.settings, {}))
    (scene_has_option(request.scene.scene, setting.name) ? request.scene.settings : request.settings)
        .push_back(setting);
  return request;
}

void run(const RunArguments& arguments) {
  if (!arguments.simd.empty()) set_simd_level(parse_simd_level(arguments.simd));
  FrameProgress progress("run");
  record::MeasureRequest request = measure_request(arguments);
  request.progress = [&](std::size_t frame, std::size_t frames) { progress.show(frame, frames); };
  const record::RunRecord record = record::measure(request);
  if (arguments.json.empty()) return print_record(record);
  const std::string text = record::to_json(record).dump(2) + "\n";
  if (arguments.json == "-") {
    io::StandardOutput().write(text);
  } else {
    io::AtomicFile file(arguments.json);
    file.write(text);
    file.commit();
  }
}

}  // namespace

void add_run_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "run a method over a scene and take the time");
  auto arguments = std::make_shared<RunArguments>();
  command->footer(kRunExamples);
  add_scene_arguments(*command, arguments->scene);
  command->get_option("--set")->description("an option of the scene or the method");
  command->add_option("-m,--method", arguments->method, "how to find pairs [" + arguments->method + "]")
      ->option_text("NAME");
  add_threads_option(*command, arguments->threads);
  command->add_option("--simd", arguments->simd, "scalar, sse4, avx2 or neon [the best here]")
      ->option_text("LEVEL");
  command->add_option("--json", arguments->json, "write the record here instead; -: standard output")
      ->option_text("FILE");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace winnow::cli
