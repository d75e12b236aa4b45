// Times in short: order statistics, as records hold them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace winnow::record {

// In the unit of the values, mostly milliseconds a frame.
struct Summary {
  double median = 0, min = 0, p95 = 0;
  double q1 = 0, q3 = 0;  // the quartiles: half of the values lie between them
};
Summary summarise(std::vector<double> values);  // all zero when there are none

nlohmann::json to_json(const Summary& summary);

}  // namespace winnow::record
