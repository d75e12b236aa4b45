// winnow-bench report: records as one page that opens anywhere, offline.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/commands.hpp"
#include "bench/results.hpp"
#include "io/file.hpp"
#include "winnow/error.hpp"

#ifdef WINNOW_REPORT_PAGE
extern const char* const kReportPage;  // made by report/embed.cmake
#else
static const char* const kReportPage = nullptr;
#endif

namespace winnow::bench {
namespace {

// JSON inside a script element: no "</script>" may appear in it.
std::string for_script(const nlohmann::json& json) {
  std::string text;
  for (const char c : json.dump()) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

void write_report(const std::vector<std::string>& files, const std::string& output) {
  const nlohmann::json records = read_records(files);
  if (kReportPage == nullptr)
    throw Error("report", "report: this build has no Chart.js (Debian: libjs-chart.js)");
  std::string page = kReportPage;
  const std::string mark = "@RECORDS@";
  page.replace(page.find(mark), mark.size(), for_script(records));
  io::AtomicFile file(output);
  file.write(page);
  file.commit();
  fmt::print("{}: {} records\n", output, records.size());
}

}  // namespace

void add_report_command(CLI::App& app) {
  struct Arguments {
    std::vector<std::string> files;
    std::string output = "report.html";
  };
  CLI::App* command = app.add_subcommand("report", "records as one page with charts, for a browser");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->files, "records of compare --json")->required();
  command->add_option("-o,--output", arguments->output, "the page")->capture_default_str();
  command->callback([arguments] { write_report(arguments->files, arguments->output); });
}

}  // namespace winnow::bench
