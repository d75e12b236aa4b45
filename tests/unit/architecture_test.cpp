// Dependencies point one way, as docs/ARCHITECTURE.md has it:
//   programs -> world -> neighbours, box_tree, registry -> methods -> hash_grid, bodies -> algo, sinks
//            -> exec, simd -> base
// Public headers that hold the common words (boxes, pairs, executors, sinks, what a method is) count as base.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace winnow::test {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kCommonWords = {"bodies", "box",    "boxes",    "buffer", "error",  "executor",
                                            "filter", "method", "option",   "pair",   "points", "rounding",
                                            "simd",   "sink",   "validate", "version"};
const std::set<std::string> kPrograms = {"apps", "bench", "io", "record", "scene"};
const std::map<std::string, int> kRanks = {
    {"base", 0},     {"exec", 1},      {"simd", 1},       {"algo", 2},     {"sinks", 2},
    {"bodies", 3},   {"hash_grid", 3}, {"methods", 4},    {"registry", 5}, {"neighbours", 6},
    {"box_tree", 6}, {"world", 7},     {"everything", 8}, {"programs", 9}};

// Highway and intrinsics live in kernels, and in the two files that ask or set up the processor.
bool may_use_simd(const std::string& file) {
  return std::regex_search(file, std::regex("^src/.*(_kernel\\.cpp|-inl\\.hpp)$")) ||
         file == "src/simd/level.cpp" || file == "src/base/float_mode.cpp";
}

// "src/algo/radix_sort.hpp" -> algo. Which folder under src/ defines a public header is told by `owners`.
std::string layer_of(const std::string& file, const std::map<std::string, std::string>& owners) {
  const auto parts = [&] {
    std::vector<std::string> names;
    for (const fs::path& part : fs::path(file)) names.push_back(part.string());
    return names;
  }();
  if (kPrograms.contains(parts[0])) return "programs";
  const std::string stem = fs::path(file).stem().string();
  if (parts[0] == "src")
    return parts[1] == "methods" && parts.size() == 3 ? "registry"
                                                      : parts[1];  // registry.cpp, find_pairs.cpp
  if (parts.size() > 3) return parts[2];                           // include/winnow/methods/*.hpp
  if (kCommonWords.contains(stem)) return "base";
  if (stem == "winnow") return "everything";
  const auto owner = owners.find(stem);
  return owner == owners.end() ? "registry" : owner->second;
}

// The method a file belongs to; empty when it is no method's own.
std::string method_of(const std::string& file) {
  std::smatch found;
  if (std::regex_search(file, found, std::regex("^src/methods/([^/]+)/"))) return found[1];
  if (std::regex_search(file, found, std::regex("^include/winnow/methods/([^/]+)\\.hpp"))) return found[1];
  return "";
}

// Why `file` must not have the line; empty when it may.
std::string complaint(const std::string& file, const std::string& line,
                      const std::map<std::string, std::string>& owners) {
  const std::string layer = layer_of(file, owners);
  const bool is_bench = file.rfind("bench/", 0) == 0;  // it measures parts as well as the whole
  if (!may_use_simd(file) &&
      std::regex_search(line, std::regex("\\b_mm(256|512)?_|\\b__m(128|256|512)|\\bvld1q_")))
    return "intrinsics belong in kernels";
  std::smatch found;
  if (std::regex_search(line, found, std::regex("^ *# *include *<([^>]+)>"))) {
    const std::string header = found[1];
    if (!may_use_simd(file) && std::regex_search(header, std::regex("^hwy/|intrin\\.h$|arm_neon")))
      return "Highway and intrinsics belong in *_kernel.cpp and *-inl.hpp";
    if (layer != "exec" && std::regex_search(header, std::regex("^(oneapi|tbb)/")))
      return "oneTBB belongs in src/exec";
    if (!is_bench && std::regex_search(header, std::regex("^(CGAL|embree3|fcl)/")))
      return "peers belong in bench";
    return "";
  }
  if (!std::regex_search(line, found, std::regex("^ *# *include *\"([^\"]+)\""))) return "";
  const std::string name = found[1];
  const bool is_public = name.rfind("winnow/", 0) == 0;
  const bool is_private = std::regex_search(
      name, std::regex("^(base|exec|simd|algo|sinks|bodies|hash_grid|methods|neighbours|box_tree|world)/"));
  if (!is_public && !is_private) return layer == "programs" ? "" : "the library includes nothing of programs";
  if (is_private && !is_bench && (layer == "programs" || file.rfind("include/", 0) == 0))
    return "what lies in src/ is for src/ only";
  const std::string included = (is_public ? "include/" : "src/") + name;
  const std::string there = layer_of(included, owners);
  if (kRanks.at(there) > kRanks.at(layer)) return layer + " must not depend on " + there;
  if (!method_of(file).empty() && !method_of(included).empty() && method_of(file) != method_of(included))
    return "methods never include each other";
  return "";
}

const fs::path kRoot = WINNOW_SOURCE_DIR;

std::vector<std::string> source_files() {
  std::vector<std::string> files;
  for (const std::string folder : {"include", "src", "apps", "bench", "io", "record", "scene"}) {
    if (!fs::exists(kRoot / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
        files.push_back(fs::relative(entry.path(), kRoot).generic_string());
  }
  return files;
}

// A public header belongs to the folder that has a source of its name: hash_grid -> hash_grid.
std::map<std::string, std::string> owners_of_headers() {
  std::map<std::string, std::string> owners;
  for (const std::string& file : source_files()) {
    const fs::path path(file);
    if (path.extension() == ".cpp" && file.rfind("src/", 0) == 0)
      owners[path.stem().string()] = layer_of(file, {});
  }
  return owners;
}

TEST(Architecture, DependenciesPointOneWay) {
  const auto owners = owners_of_headers();
  const std::vector<std::string> files = source_files();
  ASSERT_GT(files.size(), 50u);
  for (const std::string& file : files) {
    std::ifstream in(kRoot / file);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      if (line.find('#') == std::string::npos && line.find("_m") == std::string::npos) continue;
      const std::string why = complaint(file, line, owners);
      EXPECT_EQ(why, "") << file << ":" << number << ": " << line;
    }
  }
}

TEST(Architecture, WrongDependenciesAreSeen) {
  const std::map<std::string, std::string> owners = {{"hash_grid", "hash_grid"}};
  const auto wrong = [&](const char* file, const char* line) {
    return !complaint(file, line, owners).empty();
  };
  EXPECT_TRUE(wrong("src/base/pair.cpp", "#include \"simd/overlap.hpp\""));
  EXPECT_TRUE(wrong("src/simd/overlap_kernel.cpp", "#include \"winnow/hash_grid.hpp\""));
  EXPECT_TRUE(wrong("src/algo/sweep.cpp", "#include \"winnow/methods/sweep.hpp\""));
  EXPECT_TRUE(wrong("src/methods/sweep/sweep.cpp", "#include \"winnow/registry.hpp\""));
  EXPECT_TRUE(wrong("src/methods/sweep/sweep.cpp", "#include \"winnow/methods/tile_sweep.hpp\""));
  EXPECT_TRUE(wrong("src/methods/sweep/sweep.cpp", "#include \"methods/tile_sweep/tile_grid.hpp\""));
  EXPECT_TRUE(wrong("src/methods/sweep/sweep.cpp", "#include \"scene/scene.hpp\""));
  EXPECT_TRUE(wrong("src/methods/sweep/sweep.cpp", "#include <oneapi/tbb/parallel_for.h>"));
  EXPECT_TRUE(wrong("src/algo/sweep.cpp", "#include <hwy/highway.h>"));
  EXPECT_TRUE(wrong("src/algo/sweep.cpp", "#include <immintrin.h>"));
  EXPECT_TRUE(wrong("src/algo/sweep.cpp", "  const __m256 x = _mm256_setzero_ps();"));
  EXPECT_TRUE(wrong("include/winnow/hash_grid.hpp", "#include \"hash_grid/hash_levels.hpp\""));
  EXPECT_TRUE(wrong("apps/winnow/main.cpp", "#include \"simd/overlap.hpp\""));
  EXPECT_TRUE(wrong("apps/winnow/main.cpp", "#include <CGAL/box_intersection_d.h>"));

  EXPECT_FALSE(wrong("src/methods/sweep/sweep.cpp", "#include \"methods/sweep/axis.hpp\""));
  EXPECT_FALSE(wrong("src/methods/registry.cpp", "#include \"winnow/methods/sweep.hpp\""));
  EXPECT_FALSE(wrong("src/simd/overlap_kernel.cpp", "#include <hwy/highway.h>"));
  EXPECT_FALSE(wrong("src/methods/sweep/axis_kernel.cpp", "#include <hwy/highway.h>"));
  EXPECT_FALSE(wrong("src/methods/sweep/axis-inl.hpp", "#include <hwy/highway.h>"));
  EXPECT_FALSE(wrong("bench/peers/cgal.cpp", "#include <CGAL/box_intersection_d.h>"));
  EXPECT_FALSE(wrong("apps/winnow/main.cpp", "#include \"io/file.hpp\""));
}

}  // namespace
}  // namespace winnow::test
