// winnow pairs, from outside: files in, pairs out.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "cli/program.hpp"
#include "io/npy.hpp"
#include "winnow/find_pairs.hpp"
#include "winnow/registry.hpp"

namespace winnow {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kThreeBoxes = "0,0,0,1,1,1\n1,1,1,2,2,2\n3,3,3,4,4,4\n";

template <class Real>
std::vector<Box<3, Real>> random_boxes(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<Real> place(0, 10), size(0, 1);
  std::vector<Box<3, Real>> boxes(count);
  for (auto& box : boxes)
    for (int axis = 0; axis < 3; ++axis) box.hi[axis] = (box.lo[axis] = place(random)) + size(random);
  return boxes;
}

// Values of any box type as bytes, row after row or column after column.
template <class B>
std::string bytes_of(const std::vector<B>& boxes, bool by_columns) {
  using Real = typename decltype(B::lo)::value_type;
  constexpr std::size_t columns = sizeof(B) / sizeof(Real);
  std::vector<Real> values;
  for (std::size_t i = 0; i < boxes.size() * columns; ++i) {
    const std::size_t row = by_columns ? i % boxes.size() : i / columns;
    const std::size_t column = by_columns ? i / boxes.size() : i % columns;
    values.push_back(reinterpret_cast<const Real*>(&boxes[row])[column]);
  }
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Real)};
}

template <class Real>
std::string npy_of(const std::vector<Box<3, Real>>& boxes, bool by_columns) {
  const std::uint64_t shape[] = {boxes.size(), 6};
  std::string header = io::npy_header(sizeof(Real) == 4 ? "f4" : "f8", shape);
  if (by_columns) header.replace(header.find("False"), 5, "True ");
  return header + bytes_of(boxes, by_columns);
}

std::string csv_of(const std::vector<Pair>& pairs) {
  std::ostringstream text;
  for (const Pair pair : pairs) text << pair.a << ',' << pair.b << '\n';
  return text.str();
}

class PairsCommand : public testing::Test {
 protected:
  tests::Run run(const std::string& arguments, const std::string& input = "") {
    return program.run("pairs " + arguments, input);
  }
  void write(const std::string& name, const std::string& content) { program.folder().write(name, content); }

  // Pairs of boxes given as text on standard input.
  std::string pairs_of(const std::string& text) {
    const tests::Run result = run("- --canonical", text);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }

  tests::Program program;
};

TEST_F(PairsCommand, PrintsThePairAndNothingElse) {
  const tests::Run result = run("-", kThreeBoxes);
  EXPECT_EQ(result.out, "0,1\n");
  EXPECT_EQ(result.status, 0);
}

TEST_F(PairsCommand, SummarisesOnStandardError) {
  const tests::Run result = run("- --threads 1 --method brute_force", kThreeBoxes);
  EXPECT_TRUE(result.err.starts_with("1 pair of 3 boxes in ")) << result.err;
  EXPECT_TRUE(result.err.ends_with(" ms (brute_force, 1 thread)\n")) << result.err;
}

TEST_F(PairsCommand, FourNumbersALineAreBoxesInThePlane) {
  EXPECT_EQ(pairs_of("0,0,1,1\n1,1,2,2\n"), "0,1\n");
}

TEST_F(PairsCommand, AHeaderLineIsNoBox) {
  EXPECT_EQ(pairs_of("x0,y0,x1,y1\n0,0,1,1\n1,1,2,2\n"), "0,1\n");
  EXPECT_EQ(pairs_of("# lo.x lo.y hi.x hi.y\n0 0 1 1\n1 1 2 2\n"), "0,1\n") << "as NumPy's savetxt";
}

TEST_F(PairsCommand, TextMayBeWrittenInManyWays) {
  const char* const ways[] = {
      "0,0,1,1\n1,1,2,2",        // no newline at the end
      "0,0,1,1\r\n1,1,2,2\r\n",  // from Windows
      "\xef\xbb\xbf"
      "0,0,1,1\n1,1,2,2\n",             // with a byte order mark
      "0 0 1 1\n1\t1\t2\t2\n",          // blanks, as NumPy's savetxt
      "  0 , 0 ,1 , 1  \n1,1,2,2\n",    // blanks and commas
      "\n0,0,1,1\n\n1,1,2,2\n\n\n",     // empty lines
      "+0,-0,1.0,1e0\n1.,.1e1,2,+2\n",  // numbers of all sorts
  };
  for (const char* text : ways) EXPECT_EQ(pairs_of(text), "0,1\n") << text;
}

TEST_F(PairsCommand, TextIsComparedInDouble) {
  // The gap is far below a float's step.
  EXPECT_EQ(pairs_of("0,0,1,1\n1.0000000000000002,0,2,1\n"), "");
  EXPECT_EQ(pairs_of("0,0,1.0000000000000002,1\n1.0000000000000002,0,2,1\n"), "0,1\n");
}

TEST_F(PairsCommand, ATableWithoutRowsHasNoPairs) {
  EXPECT_EQ(pairs_of("a,b,c,d,e,f\n"), "");
  const std::uint64_t shape[] = {0, 6};
  EXPECT_EQ(pairs_of(io::npy_header("f4", shape)), "");
}

TEST_F(PairsCommand, NpyFilesOfBothPrecisionsAndOrdersGiveTheSamePairs) {
  const auto floats = random_boxes<float>(300);
  std::vector<Box<3, double>> doubles;
  for (const Box3& box : floats) {
    doubles.push_back({});
    std::ranges::copy(box.lo, doubles.back().lo.begin());
    std::ranges::copy(box.hi, doubles.back().hi.begin());
  }
  const std::string expected = csv_of(find_pairs(floats, {.order = PairOrder::canonical}));
  ASSERT_GT(expected.size(), 100u);
  for (const bool by_columns : {false, true}) {
    write("floats.npy", npy_of(floats, by_columns));
    write("doubles.npy", npy_of(doubles, by_columns));
    EXPECT_EQ(run("floats.npy --canonical").out, expected);
    EXPECT_EQ(run("doubles.npy --canonical").out, expected);
  }
  EXPECT_EQ(run("- --canonical", npy_of(floats, false)).out, expected) << "from a pipe";
}

TEST_F(PairsCommand, DoubleBoxesAreExact) {
  const auto boxes = random_boxes<double>(300);
  write("boxes.npy", npy_of(boxes, false));
  std::vector<Pair> expected;
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
      if (overlaps(boxes[a], boxes[b])) expected.push_back({a, b});
  EXPECT_EQ(run("boxes.npy --canonical").out, csv_of(expected));
}

TEST_F(PairsCommand, EveryMethodAndThreadCountFindsTheSame) {
  write("boxes.npy", npy_of(random_boxes<float>(300), false));
  const std::string expected = run("boxes.npy --canonical").out;
  for (const MethodEntry& entry : methods())
    for (const char* threads : {"1", "2", "3"})
      EXPECT_EQ(run("boxes.npy --canonical --method " + entry.info.name + " --threads " + threads).out,
                expected)
          << entry.info.name;
}

TEST_F(PairsCommand, WritesPairsAsCsvOrNpy) {
  write("boxes.csv", kThreeBoxes);
  const tests::Run csv = run("boxes.csv --out pairs.csv");
  EXPECT_EQ(csv.out, "");
  EXPECT_NE(csv.err.find("written to pairs.csv"), std::string::npos) << csv.err;
  EXPECT_EQ(program.folder().read("pairs.csv"), "0,1\n");

  EXPECT_EQ(run("boxes.csv --out pairs.npy").status, 0);
  const std::uint64_t shape[] = {1, 2};
  const std::uint32_t pair[] = {0, 1};
  EXPECT_EQ(program.folder().read("pairs.npy"),
            io::npy_header("u4", shape) + std::string(reinterpret_cast<const char*>(pair), sizeof pair));
}

TEST_F(PairsCommand, CountPrintsOnlyTheNumber) { EXPECT_EQ(run("- --count", kThreeBoxes).out, "1\n"); }

TEST_F(PairsCommand, JsonTellsAllThatTheSummaryDoesAndPairsGoOnlyToAFile) {
  write("boxes.csv", kThreeBoxes);
  const tests::Run result = run("boxes.csv --json --out pairs.csv --method brute_force --threads 2");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["boxes"], 3);
  EXPECT_EQ(json["dim"], 3);
  EXPECT_EQ(json["pairs"], 1);
  EXPECT_EQ(json["method"], "brute_force");
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["out"], "pairs.csv");
  EXPECT_GE(json["seconds"]["search"].get<double>(), 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(program.folder().read("pairs.csv"), "0,1\n");

  const auto counted = nlohmann::json::parse(run("boxes.csv --json").out);
  EXPECT_EQ(counted["digest"], json["digest"]) << "kept or only counted, the pairs are the same";
  EXPECT_TRUE(counted["out"].is_null());
}

TEST_F(PairsCommand, OutputThatCannotBeWrittenIsReported) {
  write("boxes.csv", kThreeBoxes);
  for (const char* options : {"", "--count", "--json"}) {
    const tests::Run result = program.shell("winnow pairs boxes.csv " + std::string(options) + " >/dev/full");
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("standard output: cannot be written: No space left"), std::string::npos)
        << result.err;
  }
}

TEST_F(PairsCommand, AFileThatDoesNotFitLeavesNothingBehindAndTheOldOneAsItWas) {
  std::string coincident;
  for (int i = 0; i < 200; ++i) coincident += "0,0,1,1\n";  // 19,900 pairs: more than 64 KiB of text
  write("boxes.csv", coincident);
  const std::string limited =
      "ulimit -f 8; trap '' XFSZ; winnow pairs boxes.csv --out ";  // blocks of 512 or 1024
  for (const char* name : {"pairs.csv", "pairs.npy"}) {
    const tests::Run result = program.shell(limited + name);
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(std::string(name) + ": cannot be written: "), std::string::npos) << result.err;
    EXPECT_EQ(program.folder().names(), Names{"boxes.csv"});
  }
  write("pairs.csv", "old");
  EXPECT_EQ(program.shell(limited + "pairs.csv").status, 2);
  EXPECT_EQ(program.folder().read("pairs.csv"), "old");
}

}  // namespace
}  // namespace winnow
