#include "io/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "io/file.hpp"

namespace winnow::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Walks through the lines that say something: not empty, no comment.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // UTF-8's mark, as spreadsheets write it
  }

  bool next() {
    while (!rest_.empty()) {
      const void* const newline = std::memchr(rest_.data(), '\n', rest_.size());
      const std::size_t length =
          newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - rest_.data()) : rest_.size();
      line_ = rest_.substr(0, length);
      rest_.remove_prefix(std::min(rest_.size(), length + 1));
      ++number_;
      while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
      while (!line_.empty() && is_blank(line_.back())) line_.remove_suffix(1);
      if (!line_.empty() && line_.front() != '#') return true;
    }
    return false;
  }

  std::string_view line() const { return line_; }  // without blanks at its ends
  std::size_t number() const { return number_; }   // from 1, all lines included

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

// Takes the next field off a line: up to a comma or to blanks. False when the line is used up.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  bool next() {
    if (done_) return false;
    const char* end = rest_.data();
    const char* const stop = end + rest_.size();
    while (end != stop && *end != ',' && !is_blank(*end)) ++end;
    field_ = {rest_.data(), end};
    while (end != stop && is_blank(*end)) ++end;
    done_ = end == stop;
    if (!done_ && *end == ',') ++end;
    while (end != stop && is_blank(*end)) ++end;
    rest_ = {end, stop};
    return true;
  }

  std::string_view field() const { return field_; }

 private:
  std::string_view rest_;
  std::string_view field_;
  bool done_ = false;
};

std::from_chars_result to_number(std::string_view field, double& value) {
  if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
  return std::from_chars(field.data(), field.data() + field.size(), value);
}

bool is_number(std::string_view field) {
  double ignored;
  const auto [end, error] = to_number(field, ignored);
  return end == field.data() + field.size() && error != std::errc::invalid_argument;
}

// A line of names: none of its fields is a number.
bool is_header(std::string_view line) {
  for (Fields fields(line); fields.next();)
    if (is_number(fields.field())) return false;
  return true;
}

std::size_t count_fields(std::string_view line) {
  std::size_t count = 0;
  for (Fields fields(line); fields.next();) ++count;
  return count;
}

std::string values_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " value" : " values");
}

class Parser {
 public:
  Parser(const std::string& name, std::string_view text, const CsvKind& kind)
      : name_(name), kind_(kind), lines_(text) {}

  CsvNumbers parse() {
    if (!lines_.next()) fail_file(std::string("holds no ") + kind_.things + "; " + kind_.right);
    table_.columns = count_fields(lines_.line());
    if (table_.columns != kind_.columns_2d && table_.columns != kind_.columns_3d)
      fail(values_text(table_.columns) + "; " + kind_.right);
    bool more = true;
    if (is_header(lines_.line())) more = lines_.next();
    for (; more; more = lines_.next()) add_row();
    table_.values.resize(used_);
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail_file(const std::string& complaint) const { throw file_error(name_, complaint); }
  [[noreturn]] void fail(const std::string& complaint) const {
    fail_file("line " + std::to_string(lines_.number()) + ": " + complaint);
  }

  void add_row() {
    const std::size_t columns = table_.columns;
    if (table_.values.size() - used_ < columns) table_.values.resize(used_ + std::max(kFirstRoom, used_));
    double* const row = table_.values.data() + used_;
    std::size_t count = 0;
    for (Fields fields(lines_.line()); fields.next(); ++count)
      if (count < columns) row[count] = number(fields.field(), count);
    if (count != columns) fail(values_text(count) + ", but the first line has " + std::to_string(columns));
    used_ += columns;
  }

  double number(std::string_view field, std::size_t column) const {
    double value = 0;
    const auto [end, error] = to_number(field, value);
    if (error == std::errc() && end == field.data() + field.size()) return value;
    constexpr std::size_t kMostShown = 40;
    const std::string shown =
        field.size() > kMostShown ? std::string(field.substr(0, kMostShown)) + "..." : std::string(field);
    const std::string which = "value " + std::to_string(column + 1) + ": ";
    if (field.empty()) fail(which + "is missing; write a number");
    if (error == std::errc::result_out_of_range)
      fail(which + "'" + shown + "' is out of the range of doubles");
    fail(which + "'" + shown + "' is not a number");
  }

  static constexpr std::size_t kFirstRoom = 6 * 1024;  // values

  const std::string& name_;
  const CsvKind& kind_;
  Lines lines_;
  CsvNumbers table_;
  std::size_t used_ = 0;
};

}  // namespace

CsvNumbers parse_csv(const std::string& name, std::string_view text, const CsvKind& kind) {
  return Parser(name, text, kind).parse();
}

std::size_t csv_line_of_row(std::string_view text, std::size_t row) {
  Lines lines(text);
  if (lines.next() && is_header(lines.line())) lines.next();
  for (; row > 0; --row) lines.next();
  return lines.number();
}

}  // namespace winnow::io
