// scenes, generate, info, run, verify and draw, as users meet them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "scene/scene.hpp"

namespace winnow {
namespace {

using tests::contains;

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const scene::SceneInfo& info : scene::scenes()) names.push_back(info.name);
  return names;
}

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, HasTheSamePairsByEveryMethod) {
  const tests::Run result = tests::Program().run("verify " + GetParam() + " -n 2000 --frames 3");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "2000 objects, 3 frames")) << result.out;
}

TEST_P(EveryScene, CanBeDrawn) {
  const tests::Program program;
  const tests::Run result = program.run("draw " + GetParam() + " -n 200 --frame 2 -o a.svg");
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string picture = program.folder().read("a.svg");
  EXPECT_TRUE(contains(picture, "<polygon"));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
}

INSTANTIATE_TEST_SUITE_P(Cli, EveryScene, testing::ValuesIn(scene_names()),
                         [](const auto& test) { return test.param; });

TEST(ScenesCommand, ListsEverySceneForPeopleAndForMachines) {
  const tests::Program program;
  const std::string table = program.run("scenes").out;
  const auto json = nlohmann::json::parse(program.run("scenes --json").out);
  ASSERT_EQ(json.size(), scene_names().size());
  for (const std::string& name : scene_names()) EXPECT_TRUE(contains(table, name));
}

TEST(GenerateCommand, WritesTheSameBytesWhateverTheThreads) {
  const tests::Program program;
  for (const char* const line : {"-o a.aabbs", "-o b.aabbs", "--threads 2 -o c.aabbs"})
    ASSERT_EQ(program.run(std::string("generate brownian -n 300 --frames 5 --seed 7 ") + line).status, 0);
  EXPECT_EQ(program.folder().read("a.aabbs").size(), 304u + 5 * 300 * 32);
  EXPECT_EQ(program.folder().read("a.aabbs"), program.folder().read("b.aabbs"));
  EXPECT_EQ(program.folder().read("a.aabbs"), program.folder().read("c.aabbs"));
}

TEST(GenerateCommand, LeavesNothingWhenTheDiskIsFull) {
  const tests::Program program;
  for (const char* const name : {"a.aabbs", "a.npy"}) {
    // A limit on the size of files stands for the full disk; without the trap the signal would end us.
    const tests::Run result = program.shell(
        std::string("trap '' XFSZ; ulimit -f 64; winnow generate brownian -n 1000 --frames 50 -o ") + name);
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(contains(result.err, std::string(name) + ": cannot be written")) << result.err;
  }
  EXPECT_TRUE(program.folder().names().empty());
}

TEST(InfoCommand, TellsObjectsFramesPairsAndRest) {
  const tests::Program program;
  ASSERT_EQ(program.run("generate spheres -n 500 --frames 3 --set d=0.5 -o a.npy").status, 0);
  const tests::Run result = program.run("info a.npy");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.out, "500 objects in 3D, 3 frames")) << result.out;
  EXPECT_TRUE(contains(result.out, "at rest    100.0 %")) << result.out;
}

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Two cubes and three frames, byte by byte as Broadmark lays them out: the second cube comes down on the
// first.
TEST(InfoCommand, UnderstandsAFileOfBroadmark) {
  std::string bytes = "Free Fall";
  bytes.resize(128, '\0');
  bytes += "Cubes";
  bytes.resize(256, '\0');
  for (const std::int32_t value : {2, 2, 0, 0}) put(bytes, value);
  for (const float value : {-9.f, -9.f, -9.f, 0.f, 9.f, 9.f, 9.f, 0.f}) put(bytes, value);
  for (const float z : {3.0f, 2.0f, 0.5f}) {
    for (const float value : {0.f, 0.f, 0.f, 0.f, 1.f, 1.f, 1.f, 0.f}) put(bytes, value);
    for (const float value : {0.f, 0.f, z, 0.f, 1.f, 1.f, z + 1, 0.f}) put(bytes, value);
  }
  const tests::Program program;
  program.folder().write("a.aabbs", bytes);
  const tests::Run result = program.run("info a.aabbs");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "2 objects in 3D, 3 frames")) << result.out;
  EXPECT_TRUE(contains(result.out, "0.3 a frame")) << result.out;  // one pair in the last of three
  EXPECT_TRUE(contains(result.out, "at rest    50.0 %")) << result.out;
}

TEST(RunCommand, LeavesARecordWithAllFields) {
  const tests::Program program;
  ASSERT_EQ(program.run("run row -n 100 --frames 4 --method sweep --json a.json").status, 0);
  const auto record = nlohmann::json::parse(program.folder().read("a.json"));
  for (const char* const field :
       {"scene", "objects", "frames", "seed", "method", "options", "threads", "simd", "pairs_per_frame",
        "candidates_per_frame", "digest", "ms", "memory_bytes", "machine"})
    EXPECT_TRUE(record.contains(field)) << field;
  for (const char* const phase : {"update", "search", "total"})
    for (const char* const figure : {"median", "min", "p95"})
      EXPECT_TRUE(record["ms"][phase].contains(figure));
  EXPECT_EQ(record["frames"], 4);
}

TEST(RunCommand, FindsTheSameInARecordingAsInTheSceneItself) {
  const tests::Program program;
  ASSERT_EQ(program.run("generate gravity -n 400 --frames 6 -o a.aabbs").status, 0);
  ASSERT_EQ(program.run("run a.aabbs --json a.json").status, 0);
  ASSERT_EQ(program.run("run gravity -n 400 --frames 6 --json b.json").status, 0);
  const auto a = nlohmann::json::parse(program.folder().read("a.json"));
  const auto b = nlohmann::json::parse(program.folder().read("b.json"));
  EXPECT_EQ(a["digest"], b["digest"]);
  EXPECT_GT(a["pairs_per_frame"], 0);
}

TEST(SceneCommands, AnswerMistakesInOneLineWithStatusTwo) {
  const tests::Program program;
  for (const char* const line :
       {"run nowhere", "run brownian --method nothing", "run brownian --set objects=cats",
        "run brownian --set shape=cubes", "info missing.aabbs", "generate brownian -n 10 -o a.csv",
        "generate segments2d -n 10 -o a.aabbs", "draw row -n 5 --frames 2 --frame 7 -o a.svg",
        "verify row --methods sweep,nothing"}) {
    const tests::Run result = program.run(line);
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_TRUE(program.folder().names().empty());
}

}  // namespace
}  // namespace winnow
