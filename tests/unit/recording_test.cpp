#include "scene/recording.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "winnow/error.hpp"

namespace winnow::scene {
namespace {

// A file of its own for each test.
class Recordings : public testing::Test {
 protected:
  Recordings() {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("winnow-") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  ~Recordings() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static void write_file(const std::string& name, const std::string& bytes) {
    std::ofstream(name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  static std::string read_file(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static void record(const SceneRequest& request, const std::string& to) {
    SerialExecutor executor;
    const auto scene = open_scene(request);
    const auto recording = create_recording(to, {.scene = request.scene,
                                                 .objects_type = "cubes",
                                                 .dim = scene->dim(),
                                                 .objects = scene->objects(),
                                                 .frames = scene->frames()});
    while (scene->next(executor)) recording->write(*scene);
    recording->commit();
  }

  // The message with which reading all of the file is refused; empty if it is not.
  static std::string refusal(const std::string& name) {
    SerialExecutor executor;
    try {
      const auto scene = open_scene({.scene = name});
      while (scene->next(executor)) {
      }
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::filesystem::path folder_;
};

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void put_box(std::string& bytes, Box<3> box) {
  for (const auto& corner : {box.lo, box.hi}) {
    for (const float value : corner) put(bytes, value);
    put(bytes, 0.0f);
  }
}

// Two objects, a start and two frames, byte by byte as Broadmark lays them out.
std::string broadmark_file() {
  std::string bytes = "Free Fall";
  bytes.resize(128, '\0');
  bytes += "Cubes";
  bytes.resize(256, '\0');
  put<std::int32_t>(bytes, 2);
  put<std::int32_t>(bytes, 2);
  put<std::int32_t>(bytes, 0);
  put<std::int32_t>(bytes, 0);
  put_box(bytes, {{-10, -10, -10}, {10, 10, 10}});
  for (const float z : {3.0f, 2.0f, 0.5f}) {
    put_box(bytes, {{0, 0, 0}, {1, 1, 1}});
    put_box(bytes, {{0.5f, 0.5f, z}, {1.5f, 1.5f, z + 1}});
  }
  return bytes;
}

TEST_F(Recordings, ReadsAFileWrittenByteByByteAsBroadmarkDoes) {
  write_file(path("a.aabbs"), broadmark_file());
  SerialExecutor executor;
  const auto scene = open_scene({.scene = path("a.aabbs")});
  EXPECT_EQ(scene->dim(), 3);
  EXPECT_EQ(scene->objects(), 2u);
  EXPECT_EQ(scene->frames(), 3u);
  for (const float z : {3.0f, 2.0f, 0.5f}) {
    ASSERT_TRUE(scene->next(executor));
    EXPECT_EQ(scene->boxes_3d()[0], (Box<3>{{0, 0, 0}, {1, 1, 1}}));
    EXPECT_EQ(scene->boxes_3d()[1], (Box<3>{{0.5f, 0.5f, z}, {1.5f, 1.5f, z + 1}}));
  }
  EXPECT_FALSE(scene->next(executor));
}

TEST_F(Recordings, RefuseAFileCutOffAtAnyByte) {
  const std::string whole = broadmark_file();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(path("cut.aabbs"), whole.substr(0, length));
    ASSERT_NE(refusal(path("cut.aabbs")), "") << length << " bytes";
  }
}

TEST_F(Recordings, RefuseAnyOtherByteInAHeaderOfOurs) {
  for (const std::string& scene : {std::string("row"), std::string(200, 'x')}) {
    SerialExecutor executor;
    const auto row = open_scene({.scene = "row", .objects = 2, .frames = 1});
    const auto recording = create_recording(
        path("a.aabbs"), {.scene = scene, .objects_type = "cubes", .objects = 2, .frames = 1});
    ASSERT_TRUE(row->next(executor));
    recording->write(*row);
    recording->commit();
    ASSERT_EQ(refusal(path("a.aabbs")), "");
    const std::string whole = read_file(path("a.aabbs"));
    for (std::size_t at = 0; at < 304; ++at) {
      for (const int other : {0x00, 0x01, 0x61, 0x78, 0x80, 0xff, whole[at] ^ 0x01, whole[at] ^ 0x40}) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(other);
        if (bytes == whole) continue;
        write_file(path("b.aabbs"), bytes);
        ASSERT_NE(refusal(path("b.aabbs")), "") << other << " at byte " << at;
      }
    }
  }
}

TEST_F(Recordings, RefuseBytesPastTheEnd) {
  write_file(path("long.aabbs"), broadmark_file() + "x");
  EXPECT_NE(refusal(path("long.aabbs")), "");
}

TEST_F(Recordings, RefuseAnyLieInTheHeaderAndTellWhere) {
  struct Lie {
    std::size_t offset;
    std::string bytes;
    std::string told_at;
  };
  std::string nan, million;
  put(nan, std::numeric_limits<float>::quiet_NaN());
  put(million, 1e6f);
  const std::vector<Lie> lies = {{9, std::string(119, 'x'), "at byte 0:"},
                                 {50, "x", "at byte 0:"},
                                 {133, std::string(123, 'x'), "at byte 128:"},
                                 {256, std::string("\3\0\0\0", 4), "at byte 256:"},
                                 {256, std::string("\0\0\0\0", 4), "at byte 256:"},
                                 {256, std::string("\xff\xff\xff\xff", 4), "at byte 256:"},
                                 {260, std::string("\1\0\0\0", 4), "at byte 256:"},
                                 {260, std::string("\xff\xff\xff\xff", 4), "at byte 260:"},
                                 {264, "\1", "at byte 264:"},
                                 {268, "\1", "at byte 268:"},
                                 {272, nan, "at byte 272:"},
                                 {272, million, "at byte 272:"},
                                 {284, nan, "at byte 272:"}};
  for (const Lie& lie : lies) {
    std::string bytes = broadmark_file();
    bytes.replace(lie.offset, lie.bytes.size(), lie.bytes);
    write_file(path("lie.aabbs"), bytes);
    EXPECT_NE(refusal(path("lie.aabbs")).find(lie.told_at), std::string::npos)
        << lie.offset << ": " << refusal(path("lie.aabbs"));
  }
}

TEST_F(Recordings, RefuseBoxesOutsideTheWorldAndBadOnes) {
  std::string outside = broadmark_file(), bad = broadmark_file();
  const std::size_t second_box = 304 + 32;
  const float far = 500, nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(outside.data() + second_box + 16, &far, 4);
  std::memcpy(bad.data() + second_box, &nan, 4);
  write_file(path("outside.aabbs"), outside);
  write_file(path("bad.aabbs"), bad);
  EXPECT_NE(refusal(path("outside.aabbs")).find("at byte 336:"), std::string::npos);
  EXPECT_NE(refusal(path("bad.aabbs")).find("at byte 336:"), std::string::npos);
}

TEST_F(Recordings, ReturnTheFramesThatWereWritten) {
  for (const char* const name : {"a.aabbs", "a.npy"}) {
    const SceneRequest request{.scene = "gravity", .objects = 50, .frames = 4, .seed = 3};
    record(request, path(name));
    SerialExecutor executor;
    const auto scene = open_scene(request), recording = open_scene({.scene = path(name)});
    ASSERT_EQ(recording->frames(), 4u);
    ASSERT_EQ(recording->objects(), 50u);
    while (scene->next(executor)) {
      ASSERT_TRUE(recording->next(executor));
      for (std::size_t i = 0; i < 50; ++i) ASSERT_EQ(scene->boxes_3d()[i], recording->boxes_3d()[i]);
    }
    EXPECT_FALSE(recording->next(executor));
  }
}

TEST_F(Recordings, OfTheSameSceneAreTheSameBytes) {
  const SceneRequest request{.scene = "brownian", .objects = 100, .frames = 5, .seed = 7};
  record(request, path("a.aabbs"));
  record(request, path("b.aabbs"));
  EXPECT_EQ(read_file(path("a.aabbs")), read_file(path("b.aabbs")));
  EXPECT_EQ(read_file(path("a.aabbs")).size(), 304u + 5 * 100 * 32);
}

TEST_F(Recordings, GiveFewerFramesWhenAskedButNoOtherNumberOfObjects) {
  write_file(path("a.aabbs"), broadmark_file());
  EXPECT_EQ(open_scene({.scene = path("a.aabbs"), .frames = 2})->frames(), 2u);
  EXPECT_THROW(open_scene({.scene = path("a.aabbs"), .frames = 4}), Error);
  EXPECT_THROW(open_scene({.scene = path("a.aabbs"), .objects = 3}), Error);
  EXPECT_THROW(open_scene({.scene = path("a.aabbs"), .settings = {{"d", "1"}}}), Error);
}

TEST_F(Recordings, RefuseArraysOfAnotherShape) {
  record({.scene = "row", .objects = 6, .frames = 2}, path("a.npy"));
  std::string bytes = read_file(path("a.npy"));
  const std::size_t shape = bytes.find("(2, 6, 6)");
  ASSERT_NE(shape, std::string::npos);
  bytes.replace(shape, 9, "(3, 8, 3)");
  write_file(path("b.npy"), bytes);
  EXPECT_NE(refusal(path("b.npy")).find("frames x objects x 6"), std::string::npos);
}

TEST_F(Recordings, OfAnUnknownEndingAreNotWritten) {
  EXPECT_THROW(create_recording(path("a.csv"), {.objects = 1, .frames = 1}), Error);
  EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
}

TEST_F(Recordings, AppearOnlyWhenTheyAreWhole) {
  {
    const auto recording = create_recording(path("a.aabbs"), {.objects = 1, .frames = 1});
    EXPECT_FALSE(std::filesystem::exists(path("a.aabbs")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace winnow::scene
