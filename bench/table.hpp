// Tables for the terminal: plain ones, and the paper's figures beside ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace winnow::bench {

// Columns as wide as they need; the first `labels` ones are text to the left, the rest figures to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header, std::size_t labels = 1);
  void add(std::vector<std::string> cells);
  std::string text() const;
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the first is the header
  std::size_t labels_;
};

// Four significant digits, thousands set apart: 0.01234, 12.34, 1,234,567.
std::string figure(double value);
// "3.21x"
std::string times(double ratio);

// What a paper reports beside what we measure.
struct Figure {
  std::optional<double> paper;  // empty where the paper has none
  std::optional<double> ours;   // empty where we did not run
};

// One row per case of the paper, and for each quantity three columns: paper, ours, ours / paper.
class PaperTable {
 public:
  PaperTable(std::string title, std::vector<std::string> labels, std::vector<std::string> quantities);
  void add(const std::vector<std::string>& labels, const std::vector<Figure>& figures);
  void print() const;

 private:
  std::string title_;
  Table table_;
};

// Prints "what: 6.21x (asked: at least 5x): reached".
void print_asked(const std::string& what, double measured, double at_least);

}  // namespace winnow::bench
