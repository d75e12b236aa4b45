#include "bench/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "bench/candidate.hpp"
#include "bench_commit.hpp"
#include "winnow/executor.hpp"
#include "winnow/simd.hpp"

namespace winnow::bench {
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

nlohmann::json describe() {
  utsname system{};
  uname(&system);
  nlohmann::json versions = nlohmann::json::object();
  for (const CandidateEntry& peer : peers()) versions[peer.info.name] = peer.info.source;
  return {{"processor", value_of("/proc/cpuinfo", "model name")},
          {"threads", hardware_threads()},
          {"caches_kib",
           {{"l1d", cache_kib(_SC_LEVEL1_DCACHE_SIZE)},
            {"l2", cache_kib(_SC_LEVEL2_CACHE_SIZE)},
            {"l3", cache_kib(_SC_LEVEL3_CACHE_SIZE)}}},
          {"memory", value_of("/proc/meminfo", "MemTotal")},
          {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
          {"compiler", std::string("g++ or compatible ") + __VERSION__},
          {"flags", WINNOW_BENCH_FLAGS},
          {"simd", to_string(simd_level())},
          {"commit", kCommit},
          {"peers", versions}};
}

}  // namespace

const nlohmann::json& machine() {
  static const nlohmann::json description = describe();
  return description;
}

}  // namespace winnow::bench
