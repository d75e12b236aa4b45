// winnow draw: one frame as a picture, overlapping boxes coloured.
#include "box_picture.hpp"
#include "commands.hpp"
#include "frame_progress.hpp"
#include "io/file.hpp"
#include "scene/recording.hpp"
#include "scene_arguments.hpp"
#include "winnow/error.hpp"
#include "winnow/find_pairs.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kDrawExamples = R"(Examples:
  winnow draw free_fall -n 2000 --frame 80 -o falling.svg
  winnow draw frames.aabbs --frame 3 -o frame.svg)";

struct DrawArguments {
  SceneArguments scene;
  std::size_t frame = 0;
  std::string output;
};

template <int Dim>
std::string picture(scene::Scene& scene, const DrawArguments& arguments) {
  SerialExecutor executor;
  FrameProgress progress("draw");
  PictureBounds<Dim> bounds;  // of all frames so far: what has come down shows where it came from
  for (std::size_t frame = 0; frame <= arguments.frame; ++frame) {
    if (!scene.next(executor))
      throw Error("frame", "frame: there is no frame " + std::to_string(arguments.frame) + "; the last is " +
                               std::to_string(scene.frames() - 1));
    bounds.include(scene.boxes<Dim>());
    progress.show(frame + 1, arguments.frame + 1);
  }
  const BoxesView<Dim> boxes = scene.boxes<Dim>();
  const std::vector<Pair> pairs = find_pairs<Dim>(boxes, {});
  std::vector<bool> overlapping(boxes.size(), false);
  for (const Pair pair : pairs) overlapping[pair.a] = overlapping[pair.b] = true;
  const std::string title = arguments.scene.scene + ", frame " + std::to_string(arguments.frame) + ": " +
                            std::to_string(boxes.size()) + " objects, " + std::to_string(pairs.size()) +
                            " pairs";
  return box_picture<Dim>(boxes, bounds, overlapping, title);
}

void draw(const DrawArguments& arguments) {
  scene::SceneRequest request = arguments.scene.request();
  if (request.frames == 0 && !scene::is_recording(request.scene)) request.frames = arguments.frame + 1;
  const auto scene = scene::open_scene(request);
  io::AtomicFile file(arguments.output);
  file.write(scene->dim() == 2 ? picture<2>(*scene, arguments) : picture<3>(*scene, arguments));
  file.commit();
}

}  // namespace

void add_draw_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("draw", "draw a frame as SVG, overlapping boxes coloured");
  auto arguments = std::make_shared<DrawArguments>();
  command->footer(kDrawExamples);
  add_scene_arguments(*command, arguments->scene);
  command->add_option("--frame", arguments->frame, "which, counted from 0 [0]")->option_text("NUMBER");
  command->add_option("-o,--output", arguments->output, "the picture, .svg")->required()->option_text("FILE");
  command->callback([arguments] { draw(*arguments); });
}

}  // namespace winnow::cli
