// Bad files: one clear line that names the file and the place, status 2, and no output.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/program.hpp"
#include "io/npy.hpp"

namespace winnow {
namespace {

class BadFiles : public testing::Test {
 protected:
  // Runs the program on folder/`name` and expects `message` after the file's name.
  void expect_refused(const std::string& name, const std::string& message) {
    const std::vector<std::string> before = program.folder().names();
    const tests::Run result = program.run("pairs " + name + " --out pairs.csv");
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "winnow: " + name + ": " + message + "\n");
    EXPECT_EQ(program.folder().names(), before) << "no file may be left behind";
  }
  void expect_text_refused(const std::string& text, const std::string& message) {
    program.folder().write("boxes.csv", text);
    expect_refused("boxes.csv", message);
  }
  template <class Real>
  void expect_values_refused(std::vector<Real> values, const std::string& message) {
    const std::uint64_t shape[] = {values.size() / 6, 6};
    program.folder().write(
        "boxes.npy", io::npy_header(sizeof(Real) == 4 ? "f4" : "f8", shape) +
                         std::string(reinterpret_cast<char*>(values.data()), values.size() * sizeof(Real)));
    expect_refused("boxes.npy", message);
  }
  void expect_header_refused(const std::string& dictionary, const std::string& message) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += {static_cast<char>(dictionary.size()), '\0'};
    program.folder().write("boxes.npy", bytes + dictionary);
    expect_refused("boxes.npy", message);
  }

  tests::Program program;
};

constexpr const char* kBox = "a box is 6 numbers (x y z lower, then x y z upper), or 4 in 2D";

TEST_F(BadFiles, Missing) { expect_refused("missing.csv", "cannot be opened: No such file or directory"); }

TEST_F(BadFiles, ADirectory) {
  std::filesystem::create_directory(program.folder().path("folder.csv"));
  expect_refused("folder.csv", "is a directory, not a file");
}

TEST_F(BadFiles, Empty) {
  expect_text_refused("", std::string("holds no boxes; ") + kBox);
  expect_text_refused("\n \n# nothing\n", std::string("holds no boxes; ") + kBox);
  program.folder().write("empty.npy", "");
  expect_refused("empty.npy", "is not a .npy file; it should begin with \\x93NUMPY");
}

TEST_F(BadFiles, EmptyStandardInput) {
  const tests::Run result = program.run("pairs -");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, std::string("winnow: standard input: holds no boxes; ") + kBox + "\n");
}

TEST_F(BadFiles, ARaggedLine) {
  expect_text_refused("0,0,0,1,1,1\n\n1,1,1,2,2\n", "line 3: 5 values, but the first line has 6");
  expect_text_refused("0,0,0,1,1,1\n1,1,1,2,2,2,2\n", "line 2: 7 values, but the first line has 6");
  expect_text_refused("x,y,X,Y\n0,0,0,1,1,1\n", "line 2: 6 values, but the first line has 4");
}

TEST_F(BadFiles, LinesThatAreNoBoxes) {
  expect_text_refused("0,0,0,1,1\n", std::string("line 1: 5 values; ") + kBox);
  expect_text_refused("hello\n", std::string("line 1: 1 value; ") + kBox);
}

TEST_F(BadFiles, TextInANumber) {
  expect_text_refused("0,0,0,1,1,1\n1,1,1,2,two,2\n", "line 2: value 5: 'two' is not a number");
  expect_text_refused("0,O,0,1,1,1\n", "line 1: value 2: 'O' is not a number");
  expect_text_refused("0,0,1.5x,1\n", "line 1: value 3: '1.5x' is not a number");
  expect_text_refused("0,,1,1\n", "line 1: value 2: is missing; write a number");
  expect_text_refused("0,0,1,1e999\n", "line 1: value 4: '1e999' is out of the range of doubles");
  expect_text_refused("0,0,1," + std::string(100, 'x') + "\n",
                      "line 1: value 4: '" + std::string(40, 'x') + "...' is not a number");
}

TEST_F(BadFiles, NotFiniteOrInvertedInText) {
  expect_text_refused("x,y,X,Y\n0,0,1,1\n\n0,nan,1,1\n",
                      "line 4: box 1: y from nan to 1: bounds must be finite numbers");
  expect_text_refused("0,0,inf,1\n", "line 1: box 0: x from 0 to inf: bounds must be finite numbers");
  expect_text_refused("0,0,1,1\n3,0,2,1\n",
                      "line 2: box 1: x from 3 to 2: the lower bound must not exceed the upper");
}

TEST_F(BadFiles, NotFiniteOrInvertedInNpy) {
  expect_values_refused<float>({0, 0, 0, 1, 1, 1, 0, 0, 0, 1, NAN, 1},
                               "box 1: y from 0 to nan: bounds must be finite numbers");
  expect_values_refused<double>({0, 0, -INFINITY, 1, 1, 1},
                                "box 0: z from -inf to 1: bounds must be finite numbers");
  expect_values_refused<double>({0, 0, 2, 1, 1, 1},
                                "box 0: z from 2 to 1: the lower bound must not exceed the upper");
}

TEST_F(BadFiles, TruncatedNpy) {
  const std::uint64_t shape[] = {2, 6};
  program.folder().write("boxes.npy", io::npy_header("f4", shape) + std::string(47, '\0'));
  expect_refused("boxes.npy", "is truncated: shape (2, 6) of <f4 makes 176 bytes, the file has 175");
  const tests::Run piped = program.shell("cat boxes.npy | winnow pairs -");
  EXPECT_EQ(piped.status, 2);
  EXPECT_EQ(piped.err, "winnow: standard input: is truncated: it ends inside its .npy data\n");
}

TEST_F(BadFiles, LyingNpyHeaders) {
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }",
                        "is truncated: shape (3, 5) of <f4 makes 129 bytes, the file has 69");
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 5), }",
                        "has shape (0, 5); boxes are (n, 6): x y z lower, then x y z upper, or (n, 4) in 2D");
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }",
                        "has shape (0,); boxes are (n, 6): x y z lower, then x y z upper, or (n, 4) in 2D");
  expect_header_refused(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6148914691236517206, 6), }",
      "its .npy header claims a size that no machine can hold: shape (6148914691236517206, 6)");
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 6), }",
                        "its .npy header claims a size that no machine can hold");
}

TEST_F(BadFiles, NpyOfOtherTypes) {
  expect_header_refused("{'descr': '|O', 'fortran_order': False, 'shape': (0, 6), }",
                        "holds Python objects (dtype |O); save plain numbers, float32 or float64");
  expect_header_refused("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 6), }",
                        "holds values of dtype <i4; boxes are float32 or float64");
  expect_header_refused("{'descr': '<f2', 'fortran_order': False, 'shape': (0, 6), }",
                        "holds values of dtype <f2; boxes are float32 or float64");
}

TEST_F(BadFiles, NoiseNeverCrashesIt) {
  const std::uint64_t shape[] = {1, 6};
  const std::string good = io::npy_header("f4", shape) + std::string(24, '\0');
  for (std::size_t i = 0; i < good.size(); i += 3) {
    std::string noisy = good;
    noisy[i] = static_cast<char>(~noisy[i]);
    program.folder().write("boxes.npy", noisy);
    const int status = program.run("pairs boxes.npy --count").status;
    EXPECT_TRUE(status == 0 || status == 2) << "byte " << i << ": status " << status;
  }
}

}  // namespace
}  // namespace winnow
