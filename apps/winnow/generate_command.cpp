// winnow generate: a scene's frames into a recording.
#include "commands.hpp"
#include "frame_progress.hpp"
#include "scene/recording.hpp"
#include "scene_arguments.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kGenerateExamples =
    R"(.aabbs is the format of Broadmark; .npy holds frames x objects x 6 floats.

Examples:
  winnow generate brownian -n 1000 --frames 50 --seed 7 -o a.aabbs
  winnow generate free_fall --set objects=assorted --set engine=bullet -o b.npy)";

struct GenerateArguments {
  SceneArguments scene;
  std::size_t threads = 1;
  std::string output;
};

// What Broadmark calls the type of objects: our option of that name, if the scene has one.
std::string objects_type(const scene::SceneRequest& request) {
  for (const Setting& setting : request.settings)
    if (setting.name == "objects") return setting.value;
  for (const scene::SceneInfo& info : scene::scenes())
    for (const OptionInfo& option : info.options)
      if (info.name == request.scene && option.name == "objects") return option.default_value;
  return "boxes";
}

void generate(const GenerateArguments& arguments) {
  const scene::SceneRequest request = arguments.scene.request();
  const auto executor = make_executor(arguments.threads);
  const auto scene = scene::open_scene(request);
  const auto recording = scene::create_recording(arguments.output, {.scene = request.scene,
                                                                    .objects_type = objects_type(request),
                                                                    .dim = scene->dim(),
                                                                    .objects = scene->objects(),
                                                                    .frames = scene->frames()});
  FrameProgress progress("generate");
  for (std::size_t frame = 1; scene->next(*executor); ++frame) {
    recording->write(*scene);
    progress.show(frame, scene->frames());
  }
  recording->commit();
}

}  // namespace

void add_generate_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("generate", "write a scene's frames to a recording");
  auto arguments = std::make_shared<GenerateArguments>();
  command->footer(kGenerateExamples);
  add_scene_arguments(*command, arguments->scene);
  add_threads_option(*command, arguments->threads);
  command->add_option("-o,--output", arguments->output, "the recording, .aabbs or .npy")
      ->required()
      ->option_text("FILE");
  command->callback([arguments] { generate(*arguments); });
}

}  // namespace winnow::cli
