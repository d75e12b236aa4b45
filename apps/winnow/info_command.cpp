// winnow info: what a recording or scene is like: pairs, rest, sizes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "commands.hpp"
#include "frame_progress.hpp"
#include "scene_arguments.hpp"
#include "winnow/registry.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kInfoExamples = R"(Examples:
  winnow info frames.aabbs
  winnow info free_fall -n 2000 --frames 300)";

struct InfoArguments {
  SceneArguments scene;
  std::size_t threads = 1;
};

struct FrameFacts {
  std::uint64_t pairs = 0;
  std::size_t at_rest = 0;  // objects whose boxes are those of the frame before, to the bit
};

struct SceneFacts {
  std::size_t objects = 0;
  std::vector<FrameFacts> frames;
  std::map<int, std::size_t> sizes;  // boxes of the first frame whose longest edge is in [2^key, 2^(key + 1))
};

constexpr int kNoSize = -1000;  // the class of points

template <int Dim>
int size_class(const Box<Dim>& box) {
  double longest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    longest = std::max(longest, static_cast<double>(box.hi[axis]) - box.lo[axis]);
  return longest > 0 ? std::ilogb(longest) : kNoSize;
}

template <int Dim>
SceneFacts look_at(scene::Scene& scene, Executor& executor) {
  AnyMethod<Dim> method = make_method<Dim>(default_method());
  SceneFacts facts;
  facts.objects = scene.objects();
  std::vector<Box<Dim>> before;
  FrameProgress progress("info");
  while (scene.next(executor)) {
    const BoxesView<Dim> boxes = scene.boxes<Dim>();
    FrameFacts frame;
    CountSink pairs;
    method.update(boxes, executor);
    method.find_pairs(executor, pairs);
    frame.pairs = pairs.count();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (before.size() == i) {
        before.push_back(boxes[i]);
        ++facts.sizes[size_class(boxes[i])];
      } else {
        frame.at_rest += boxes[i] == before[i];
        before[i] = boxes[i];
      }
    }
    facts.frames.push_back(frame);
    progress.show(facts.frames.size(), scene.frames());
  }
  return facts;
}

// Ten moments of the scene.
void print_course(const SceneFacts& facts) {
  constexpr std::size_t kMoments = 10;
  const double objects = static_cast<double>(facts.objects);
  const std::size_t last = facts.frames.size() - 1;
  fmt::print("\n  {:>8} {:>16} {:>10}\n", "frame", "pairs an object", "at rest");
  for (std::size_t k = 0; k <= std::min(kMoments, last); ++k) {
    const std::size_t frame = last <= kMoments ? k : k * last / kMoments;
    fmt::print("  {:>8} {:>16.3f} {:>8.1f} %\n", frame,
               static_cast<double>(facts.frames[frame].pairs) / objects,
               100 * static_cast<double>(facts.frames[frame].at_rest) / objects);
  }
}

void print_sizes(const SceneFacts& facts) {
  constexpr std::size_t kWidth = 40;
  std::size_t most = 0;
  for (const auto& [size, count] : facts.sizes) most = std::max(most, count);
  fmt::print("\n  longest edge, from    objects\n");
  for (const auto& [size, count] : facts.sizes)
    fmt::print("  {:>18.6g}    {:<{}} {}\n", size == kNoSize ? 0 : std::ldexp(1.0, size),
               std::string((count * kWidth + most - 1) / most, '#'), kWidth, count);
}

void print_facts(const std::string& name, int dim, const SceneFacts& facts) {
  double pairs = 0, rest = 0;
  for (const FrameFacts& frame : facts.frames) {
    pairs += static_cast<double>(frame.pairs);
    rest += static_cast<double>(frame.at_rest);
  }
  const double frames = static_cast<double>(facts.frames.size()),
               objects = static_cast<double>(facts.objects);
  fmt::print("{}: {} objects in {}D, {} frames\n\n", name, facts.objects, dim, facts.frames.size());
  fmt::print("  pairs      {:.1f} a frame, {:.3f} an object\n", pairs / frames, pairs / frames / objects);
  fmt::print("  at rest    {:.1f} % of the objects from one frame to the next\n",
             100 * rest / objects / std::max(1.0, frames - 1));
  print_course(facts);
  print_sizes(facts);
}

void info(const InfoArguments& arguments) {
  const auto executor = make_executor(arguments.threads);
  const auto scene = scene::open_scene(arguments.scene.request());
  const SceneFacts facts = scene->dim() == 2 ? look_at<2>(*scene, *executor) : look_at<3>(*scene, *executor);
  if (facts.frames.empty()) return fmt::print("{}: no frames\n", arguments.scene.scene);
  print_facts(arguments.scene.scene, scene->dim(), facts);
}

}  // namespace

void add_info_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "tell what a recording or scene is like");
  auto arguments = std::make_shared<InfoArguments>();
  command->footer(kInfoExamples);
  add_scene_arguments(*command, arguments->scene);
  add_threads_option(*command, arguments->threads);
  command->callback([arguments] { info(*arguments); });
}

}  // namespace winnow::cli
