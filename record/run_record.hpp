// The record of a measured run: what ran, on what, how long it took and what it found.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "winnow/option.hpp"
#include "winnow/pair.hpp"

namespace winnow::record {

// Milliseconds of each frame, in order.
struct FrameTimes {
  std::vector<double> update, search;

  std::vector<double> total() const;
};

struct RunRecord {
  std::string scene;
  std::size_t objects = 0;
  std::size_t frames = 0;
  std::uint64_t seed = 0;
  Settings scene_settings;
  std::string method;
  Settings method_settings;
  std::size_t threads = 1;
  std::string simd;
  FrameTimes ms{};
  std::uint64_t candidates = 0;  // over all frames
  PairDigest digest{};           // over all frames
  std::size_t memory_bytes = 0;  // held by the method, beside input and pairs; the most of all frames
};

// With the machine it ran on.
nlohmann::json to_json(const RunRecord& record);

// As an object: name to value.
nlohmann::json to_json(const Settings& settings);

}  // namespace winnow::record
