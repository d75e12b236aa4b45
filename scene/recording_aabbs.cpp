// Broadmark's recordings (Serpa and Rodrigues 2019). A header of 304 bytes: name of the scene and type of its
// objects, 128 bytes each, zero-filled; int32 objects; int32 frames; two int32 zeros; the box of the world.
// Then objects x (1 + frames) boxes: the first frame is where the objects start. Vectors are padded to four
// floats.
// Ours are sealed: the last bytes of the scene's name, which other readers do not look at as the name ends
// before them, hold a mark and a checksum of the header. Nothing else could tell that a letter of a name has
// changed.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "io/checksum.hpp"
#include "scene/recording_formats.hpp"

namespace winnow::scene {
namespace {

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

struct PaddedBox {
  std::array<float, 4> lo, hi;
};

using Text = std::array<char, 128>;

struct Header {
  Text scene, objects_type;
  std::int32_t objects, frames;
  std::array<std::int32_t, 2> zeros;
  PaddedBox world;
};
static_assert(sizeof(Header) == 304 && sizeof(PaddedBox) == 32);

struct Seal {
  std::array<char, 4> mark = {'\xf5', 'W', 'N', '1'};  // its first byte is in no text: UTF-8 has none such
  std::uint32_t checksum = 0;                          // of the header in which this is 0
};
constexpr std::size_t kSealAt = sizeof(Text) - sizeof(Seal);

// How far boxes may lie outside the world, in its sides: engines let objects slip a little, and Broadmark
// allows for it.
constexpr float kSlip = 0.1f;

Box<3> unpadded(const PaddedBox& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

PaddedBox padded(const Box<3>& box) {
  return {{box.lo[0], box.lo[1], box.lo[2], 0}, {box.hi[0], box.hi[1], box.hi[2], 0}};
}

Box<3> joined(const Box<3>& a, const Box<3>& b) {
  Box<3> all;
  for (int axis = 0; axis < 3; ++axis) {
    all.lo[axis] = std::min(a.lo[axis], b.lo[axis]);
    all.hi[axis] = std::max(a.hi[axis], b.hi[axis]);
  }
  return all;
}

Seal seal_of(const Header& header) {
  Seal seal;
  std::memcpy(&seal, header.scene.data() + kSealAt, sizeof(seal));
  return seal;
}

bool is_sealed(const Header& header) { return seal_of(header).mark == Seal{}.mark; }

// The header with the seal that it must have.
Header sealed(Header header) {
  Seal seal;
  std::memcpy(header.scene.data() + kSealAt, &seal, sizeof(seal));
  seal.checksum = io::checksum(std::as_bytes(std::span(&header, 1)));
  std::memcpy(header.scene.data() + kSealAt, &seal, sizeof(seal));
  return header;
}

bool is_zero_filled_text(const Text& text) {
  const std::size_t length = strnlen(text.data(), text.size());
  if (length == text.size()) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(length), text.end(),
                     [](char c) { return c == 0; });
}

void check_header(const Header& header, const io::InputFile& file) {
  const auto require = [&](bool good, std::size_t offset, const std::string& complaint) {
    if (!good) throw at_byte(file, offset, complaint);
  };
  if (is_sealed(header))
    require(seal_of(header).checksum == seal_of(sealed(header)).checksum, kSealAt,
            "the header is not the one that was written: its checksum is another");
  else
    require(is_zero_filled_text(header.scene), offsetof(Header, scene),
            "the scene's name must end and be filled with zeros within 128 bytes");
  require(is_zero_filled_text(header.objects_type), offsetof(Header, objects_type),
          "the objects' type must end and be filled with zeros within 128 bytes");
  require(header.objects > 0, offsetof(Header, objects),
          std::to_string(header.objects) + " is not a number of objects");
  require(header.frames >= 0, offsetof(Header, frames),
          std::to_string(header.frames) + " is not a number of frames");
  for (std::size_t i = 0; i < 2; ++i)
    require(header.zeros[i] == 0, offsetof(Header, zeros) + 4 * i,
            std::to_string(header.zeros[i]) + " must be 0");
  SerialExecutor serial;
  const Box<3> world = unpadded(header.world);
  require(!first_bad_box(BoxesView<3>(&world, 1), serial), offsetof(Header, world),
          "the world's box is not finite or has its lower corner above its upper one");
  require(header.world.lo[3] == 0 && header.world.hi[3] == 0, offsetof(Header, world),
          "the fourth numbers of the world's corners must be 0");
  if (!file.size()) return;
  const std::uint64_t frames = 1 + static_cast<std::uint64_t>(header.frames);
  const std::uint64_t bytes =
      sizeof(Header) + frames * static_cast<std::uint64_t>(header.objects) * sizeof(PaddedBox);
  require(*file.size() == bytes, offsetof(Header, objects),
          std::to_string(header.objects) + " objects and 1 + " + std::to_string(header.frames) +
              " frames take " + std::to_string(bytes) + " bytes, but the file has " +
              std::to_string(*file.size()));
}

Header read_header(io::InputFile& file) {
  Header header;
  const std::size_t got = file.read(&header, sizeof(header));
  if (got < sizeof(header)) throw at_byte(file, got, "the file ends within its header of 304 bytes");
  check_header(header, file);
  return header;
}

class AabbsRecording final : public Recording<3> {
 public:
  AabbsRecording(const SceneRequest& request, std::unique_ptr<io::InputFile> file, const Header& header)
      : Recording(request, static_cast<std::size_t>(header.objects),
                  1 + static_cast<std::size_t>(header.frames)),
        file_(std::move(file)),
        bytes_(static_cast<std::size_t>(header.objects)) {
    for (int axis = 0; axis < 3; ++axis) {
      const double lo = header.world.lo[axis], hi = header.world.hi[axis];
      lowest_[axis] = lo - kSlip * (hi - lo);
      highest_[axis] = hi + kSlip * (hi - lo);
    }
  }

 private:
  void read_frame() override {
    const std::size_t wanted = bytes_.size() * sizeof(PaddedBox);
    const std::size_t got = file_->read(bytes_.data(), wanted);
    if (got < wanted) throw at_byte(*file_, offset_of(0) + got, "the file ends within a frame");
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      boxes_[i] = unpadded(bytes_[i]);
      for (int axis = 0; axis < 3; ++axis)
        if (boxes_[i].lo[axis] < lowest_[axis] || boxes_[i].hi[axis] > highest_[axis])
          throw at_byte(*file_, offset_of(i), which(i) + " lies outside the world that the header tells of");
    }
  }
  void refuse_box(std::size_t index) override {
    throw at_byte(*file_, offset_of(index),
                  which(index) + " is not finite or has its lower corner above its upper one");
  }
  std::uint64_t offset_of(std::size_t index) const {
    return sizeof(Header) + (std::uint64_t{frame_} * boxes_.size() + index) * sizeof(PaddedBox);
  }
  std::string which(std::size_t index) const {
    return "box " + std::to_string(index) + " of frame " + std::to_string(frame_);
  }

  std::unique_ptr<io::InputFile> file_;
  std::vector<PaddedBox> bytes_;
  std::array<double, 3> lowest_, highest_;
};

class AabbsWriter final : public RecordingWriter {
 public:
  AabbsWriter(const std::string& path, const Header& header) : file_(path), header_(header) {
    file_.write(&header_, sizeof(header_));
  }
  void write(const Scene& scene) override {
    const BoxesView<3> boxes = scene.boxes_3d();
    if (!started_) world_ = boxes[0];
    started_ = true;
    frame_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      frame_[i] = padded(boxes[i]);
      world_ = joined(world_, boxes[i]);
    }
    file_.write(frame_.data(), frame_.size() * sizeof(PaddedBox));
  }
  void commit() override {
    header_.world = padded(world_);
    header_ = sealed(header_);
    file_.write_at(0, {reinterpret_cast<const char*>(&header_), sizeof(header_)});
    file_.commit();
  }

 private:
  io::AtomicFile file_;
  Header header_;
  bool started_ = false;
  Box<3> world_{};  // of all frames so far
  std::vector<PaddedBox> frame_;
};

// The text is cut off where it leaves no room for a zero and the seal.
void set_text(Text& field, const std::string& text) {
  const std::size_t length = std::min(text.size(), kSealAt - 1);
  std::memcpy(field.data(), text.data(), length);
}

std::int32_t as_int32(std::size_t value, const char* what) {
  if (value > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(what, std::string(what) + ": .aabbs has room for 2147483647 at most; write .npy");
  return static_cast<std::int32_t>(value);
}

}  // namespace

std::unique_ptr<Scene> open_aabbs(const SceneRequest& request) {
  auto file = std::make_unique<io::InputFile>(request.scene);
  const Header header = read_header(*file);
  return std::make_unique<AabbsRecording>(request, std::move(file), header);
}

std::unique_ptr<RecordingWriter> create_aabbs(const std::string& path, const RecordingInfo& info) {
  if (info.dim != 3) throw Error("file", path + ": .aabbs holds boxes in 3D; write a scene in 2D as .npy");
  Header header{};
  set_text(header.scene, info.scene);
  set_text(header.objects_type, info.objects_type);
  header.objects = as_int32(info.objects, "objects");
  header.frames = as_int32(info.frames - 1, "frames");
  return std::make_unique<AabbsWriter>(path, header);
}

}  // namespace winnow::scene
