// Records read back from files, and the tables that the documents show of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace winnow::bench {

// Every line of every file. Throws Error naming file and line for what is no record.
std::vector<nlohmann::json> read_records(const std::vector<std::string>& files);

// In Markdown, a row for each scene and size on one thread: the baseline's time beside the fastest peer's.
std::string headline_table(const std::vector<nlohmann::json>& records);

// In Markdown, the same rows with the time of every contender.
std::string full_table(const std::vector<nlohmann::json>& records);

}  // namespace winnow::bench
