#include "bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace winnow::bench {

Table::Table(std::vector<std::string> header, std::size_t labels)
    : rows_{std::move(header)}, labels_(labels) {}

void Table::add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c != 0) line += "  ";
      line +=
          c < labels_ ? fmt::format("{:<{}}", row[c], widths[c]) : fmt::format("{:>{}}", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
    if (&row == &rows_[0]) out += std::string(line.size(), '-') + '\n';
  }
  return out;
}

void Table::print() const { fmt::print("{}", text()); }

std::string figure(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  if (size != 0 && size < 1e-4) return fmt::format("{:.3g}", value);
  if (size < 1) return fmt::format("{:.4f}", value);
  if (size < 1000) return fmt::format("{:#.4g}", value);
  std::string text;
  const std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string times(double ratio) { return std::isfinite(ratio) ? fmt::format("{:.2f}x", ratio) : "-"; }

namespace {
std::vector<std::string> paper_header(std::vector<std::string> labels,
                                      const std::vector<std::string>& quantities) {
  for (const std::string& quantity : quantities) {
    labels.push_back(quantity + ": paper");
    labels.push_back("ours");
    labels.push_back("ours/paper");
  }
  return labels;
}
}  // namespace

PaperTable::PaperTable(std::string title, std::vector<std::string> labels,
                       std::vector<std::string> quantities)
    : title_(std::move(title)), table_(paper_header(labels, quantities), labels.size()) {}

void PaperTable::add(const std::vector<std::string>& labels, const std::vector<Figure>& figures) {
  std::vector<std::string> cells = labels;
  for (const auto& [paper, ours] : figures) {
    cells.push_back(paper ? figure(*paper) : "-");
    cells.push_back(ours ? figure(*ours) : "-");
    cells.push_back(paper && ours && *paper != 0 ? fmt::format("{:.3g}", *ours / *paper) : "-");
  }
  table_.add(std::move(cells));
}

void PaperTable::print() const {
  fmt::print("{}\n", title_);
  table_.print();
}

void print_asked(const std::string& what, double measured, double at_least) {
  fmt::print("{}: {} (asked: at least {:.4g}x): {}\n", what, times(measured), at_least,
             measured >= at_least ? "reached" : "NOT reached");
}

}  // namespace winnow::bench
