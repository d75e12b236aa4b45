#include "io/npy.hpp"
#include "scene/recording_formats.hpp"

namespace winnow::scene {
namespace {

template <int Dim>
class NpyRecording final : public Recording<Dim> {
 public:
  NpyRecording(const SceneRequest& request, std::unique_ptr<io::InputFile> file, const io::NpyHeader& header)
      : Recording<Dim>(request, header.shape[1], header.shape[0]), file_(std::move(file)), header_(header) {}

 private:
  void read_frame() override {
    io::read_npy_values(*file_, header_, this->boxes_.data(), std::uint64_t{2 * Dim} * this->boxes_.size());
  }
  void refuse_box(std::size_t index) override {
    const std::uint64_t box = std::uint64_t{this->frame_} * this->boxes_.size() + index;
    throw at_byte(*file_, header_.data_offset + box * sizeof(Box<Dim>),
                  "box " + std::to_string(index) + " of frame " + std::to_string(this->frame_) +
                      " is not finite or has its lower corner above its upper one");
  }

  std::unique_ptr<io::InputFile> file_;
  io::NpyHeader header_;
};

class NpyWriter final : public RecordingWriter {
 public:
  NpyWriter(const std::string& path, const RecordingInfo& info) : file_(path), info_(info) {
    const std::uint64_t values = 2 * static_cast<std::uint64_t>(info.dim);
    file_.write(
        io::npy_header("f4", std::array{std::uint64_t{info.frames}, std::uint64_t{info.objects}, values}));
  }
  void write(const Scene& scene) override {
    if (info_.dim == 2)
      write_boxes(scene.boxes_2d());
    else
      write_boxes(scene.boxes_3d());
  }
  void commit() override { file_.commit(); }

 private:
  template <int Dim>
  void write_boxes(BoxesView<Dim> boxes) {
    std::vector<Box<Dim>> frame(boxes.size());
    for (std::size_t i = 0; i < frame.size(); ++i) frame[i] = boxes[i];
    file_.write(frame.data(), frame.size() * sizeof(Box<Dim>));
  }

  io::AtomicFile file_;
  RecordingInfo info_;
};

}  // namespace

std::unique_ptr<Scene> open_npy(const SceneRequest& request) {
  auto file = std::make_unique<io::InputFile>(request.scene);
  const io::NpyHeader header = io::read_npy_header(*file);
  const bool boxes = header.shape.size() == 3 && (header.shape[2] == 4 || header.shape[2] == 6);
  if (!boxes)
    throw io::file_error(file->name(), "a recording has the shape frames x objects x 6 (or 4 in 2D), not " +
                                           header.shape_text());
  if (header.fortran_order) throw io::file_error(file->name(), "a recording is in C order, not in Fortran's");
  if (header.descr.substr(1) != "f4")
    throw io::file_error(file->name(), "a recording holds 32-bit floats (f4), not " + header.descr);
  if (header.shape[2] == 4) return std::make_unique<NpyRecording<2>>(request, std::move(file), header);
  return std::make_unique<NpyRecording<3>>(request, std::move(file), header);
}

std::unique_ptr<RecordingWriter> create_npy(const std::string& path, const RecordingInfo& info) {
  return std::make_unique<NpyWriter>(path, info);
}

}  // namespace winnow::scene
