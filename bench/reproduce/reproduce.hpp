// A table or figure of a paper, re-run. Each paper is one file here; an item adds itself by one line:
//   const Reproduction table1("poirrier-table1", "splitting: sub-elements, volumes, pairs", run_table1);
#pragma once

#include <string>
#include <vector>

namespace winnow::bench {

struct ReproduceOptions {
  bool full = false;        // the paper's whole range of sizes; otherwise what takes under ten minutes
  std::size_t threads = 1;  // for items that do not vary it themselves
};

struct Reproduction {
  using Run = void (*)(const ReproduceOptions& options);

  Reproduction(std::string name, std::string summary, Run run);

  std::string name;     // "poirrier-table1"
  std::string summary;  // one line for the list
  Run run;
};

// By name.
std::vector<Reproduction> reproductions();

}  // namespace winnow::bench
