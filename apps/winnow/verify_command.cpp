// winnow verify: every method over the same frames must find the same set of pairs.
#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "frame_progress.hpp"
#include "record/verify.hpp"
#include "scene/recording.hpp"
#include "scene_arguments.hpp"
#include "winnow/registry.hpp"

namespace winnow::cli {
namespace {

constexpr std::size_t kObjects = 2000, kFrames = 10;  // unless asked otherwise

constexpr const char* kVerifyExamples =
    R"(A scene has 2000 objects and 10 frames here unless told otherwise. Ends with
status 1 and the frame, the methods and the pairs when methods differ.

Examples:
  winnow verify gravity
  winnow verify frames.npy --methods brute_force,sweep,tile_sweep --threads 2)";

struct VerifyArguments {
  SceneArguments scene;
  std::string methods = "all";
  std::size_t threads = 1;
};

std::vector<std::string> chosen_methods(const std::string& names) {
  std::vector<std::string> chosen;
  if (names == "all") {
    for (const MethodEntry& entry : methods()) chosen.push_back(entry.info.name);
    return chosen;
  }
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    chosen.push_back(find_method(names.substr(begin, end - begin)).info.name);
    begin = end + 1;
  }
  return chosen;
}

// Up to ten of the pairs, and what the boxes themselves say.
template <int Dim>
void print_pairs(const std::string& who, const char* does, const std::vector<Pair>& pairs,
                 BoxesView<Dim> boxes) {
  constexpr std::size_t kShown = 10;
  if (pairs.empty()) return;
  fmt::print(stderr, "  {} {} {} pairs:\n", who, does, pairs.size());
  for (std::size_t i = 0; i < std::min(kShown, pairs.size()); ++i) {
    const auto [a, b] = pairs[i];
    const bool overlap = a < boxes.size() && b < boxes.size() && overlaps(boxes[a], boxes[b]);
    fmt::print(stderr, "    ({}, {}), whose boxes {}\n", a, b, overlap ? "overlap" : "do not overlap");
  }
  if (pairs.size() > kShown) fmt::print(stderr, "    ...\n");
}

template <int Dim>
void verify_scene(scene::Scene& scene, const VerifyArguments& arguments, Executor& executor) {
  const std::vector<std::string> names = chosen_methods(arguments.methods);
  std::vector<AnyMethod<Dim>> all;
  for (const std::string& name : names) all.push_back(make_method<Dim>(name));
  FrameProgress progress("verify");
  PairDigest sum;
  std::size_t frame = 0;
  for (; scene.next(executor); ++frame) {
    PairDigest found;
    const BoxesView<Dim> boxes = scene.boxes<Dim>();
    if (const auto difference = record::first_disagreement<Dim>(all, boxes, executor, found)) {
      const std::string& other = names[difference->method];
      fmt::print(stderr, "frame {}: {} and {} do not find the same pairs\n", frame, names[0], other);
      print_pairs<Dim>(other, "lacks", difference->missing, boxes);
      print_pairs<Dim>(other, "has in excess", difference->excess, boxes);
      throw CheckFailed();
    }
    sum.add(found);
    progress.show(frame + 1, scene.frames());
  }
  fmt::print("{}: {} objects, {} frames: {} methods find the same {} pairs, digest {}\n",
             arguments.scene.scene, scene.objects(), frame, names.size(), sum.count, sum.hex());
}

void verify(const VerifyArguments& arguments) {
  scene::SceneRequest request = arguments.scene.request();
  if (!scene::is_recording(request.scene)) {
    if (request.objects == 0) request.objects = kObjects;
    if (request.frames == 0) request.frames = kFrames;
  }
  const auto executor = make_executor(arguments.threads);
  const auto scene = scene::open_scene(request);
  if (scene->dim() == 2)
    verify_scene<2>(*scene, arguments, *executor);
  else
    verify_scene<3>(*scene, arguments, *executor);
}

}  // namespace

void add_verify_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "check that all methods find the same pairs");
  auto arguments = std::make_shared<VerifyArguments>();
  command->footer(kVerifyExamples);
  add_scene_arguments(*command, arguments->scene);
  command->add_option("--methods", arguments->methods, "which, as a,b,c [all]")->option_text("NAMES");
  add_threads_option(*command, arguments->threads);
  command->callback([arguments] { verify(*arguments); });
}

}  // namespace winnow::cli
