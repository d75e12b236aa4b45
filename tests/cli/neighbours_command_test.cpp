// winnow neighbours, from outside: points in, lists out.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace winnow {
namespace {

using tests::Program;
using Outcome = tests::Run;

constexpr const char* kThree = "0,0,0\n0.5,0,0\n2,0,0\n";

TEST(NeighboursCommand, PrintsEachNeighbourALine) {
  const Outcome run = Program().run("neighbours - --radius 1", kThree);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "0,1\n1,0\n");
}

TEST(NeighboursCommand, HalfListsHaveEachPairOnce) {
  EXPECT_EQ(Program().run("neighbours - --radius 1 --half --count", kThree).out, "1\n");
}

TEST(NeighboursCommand, LooksThroughPeriodicBordersAndTellsTheImage) {
  const Outcome run = Program().run("neighbours - --radius 0.25 --periodic 2.2,0,0 --distances", kThree);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out.find("0,2,-1,0,0,0.04"), 0u) << run.out;
  EXPECT_NE(run.out.find("2,0,1,0,0,0.04"), std::string::npos) << run.out;
}

TEST(NeighboursCommand, WritesAnArchiveThatUnzips) {
  const Program program;
  const Outcome run = program.run("neighbours - --radius 1 --out lists.npz", kThree);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "");
  const Outcome listing = program.shell(
      "python3 -c 'import zipfile; z = zipfile.ZipFile(\"lists.npz\"); print(z.testzip(), *z.namelist())'");
  if (listing.status == 127) GTEST_SKIP() << "no python3 to open the archive with";
  EXPECT_EQ(listing.out, "None offsets.npy ids.npy\n") << listing.err;
}

TEST(NeighboursCommand, SummarisesForMachines) {
  const Outcome run = Program().run("neighbours - --radius 1 --json", "0,0\n1,0\n");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto summary = nlohmann::json::parse(run.out);
  EXPECT_EQ(summary["points"], 2);
  EXPECT_EQ(summary["dim"], 2);
  EXPECT_EQ(summary["neighbours"], 2);
}

struct Mistake {
  const char* name;
  const char* arguments;
  const char* input;
  const char* complaint;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class NeighboursMistake : public testing::TestWithParam<Mistake> {};

TEST_P(NeighboursMistake, IsAnsweredInOneLineAndLeavesNoFile) {
  const auto& [name, arguments, input, complaint] = GetParam();
  const Program program;
  const Outcome run = program.run(std::string("neighbours - --out lists.csv ") + arguments, input);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find(complaint), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_EQ(program.shell("ls").out, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, NeighboursMistake,
    testing::Values(
        Mistake{"NoPoints", "--radius 1", "", "holds no points"},
        Mistake{"ABoxALine", "--radius 1", "0,0,0,1,1,1\n", "a point is 3 numbers"},
        Mistake{"NotANumber", "--radius 1", "0,0\n1,x\n", "line 2"},
        Mistake{"NotFinite", "--radius 1", "0,0\n1,inf\n", "line 2: y is inf"},
        Mistake{"NoRadius", "--radius 0", "0,0\n1,1\n", "radius"},
        Mistake{"AWrongPeriod", "--radius 1 --periodic 4", "0,0\n1,1\n", "--periodic: 2D points need 2"},
        Mistake{"PointsOutsideThePeriod", "--radius 1 --periodic 4,4", "0,0\n1,9\n", "wrap them first"}),
    [](const auto& mistake) { return mistake.param.name; });

}  // namespace
}  // namespace winnow
