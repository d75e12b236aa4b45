#include "record/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "winnow/executor.hpp"
#include "winnow/simd.hpp"
#include "winnow_commit.hpp"

namespace winnow::record {
namespace {

// The value of the first line that starts with this name, in files of the form "name : value".
std::string value_of(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "unknown";
}

long cache_kib(int name) { return std::max(0L, sysconf(name)) / 1024; }

}  // namespace

nlohmann::json machine() {
  utsname system{};
  uname(&system);
  return {{"processor", value_of("/proc/cpuinfo", "model name")},
          {"threads", hardware_threads()},
          {"caches_kib",
           {{"l1d", cache_kib(_SC_LEVEL1_DCACHE_SIZE)},
            {"l2", cache_kib(_SC_LEVEL2_CACHE_SIZE)},
            {"l3", cache_kib(_SC_LEVEL3_CACHE_SIZE)}}},
          {"memory", value_of("/proc/meminfo", "MemTotal")},
          {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
          {"compiler", WINNOW_COMPILER},
          {"flags", WINNOW_FLAGS},
          {"simd", to_string(simd_level())},
          {"commit", kCommit}};
}

}  // namespace winnow::record
