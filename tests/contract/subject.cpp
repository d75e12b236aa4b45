#include "contract/subject.hpp"

namespace winnow::test {
namespace {

// "a|b|c" or "1 .. 64" into its parts; one part when the separator is not there.
std::vector<std::string> parts_of(const std::string& range, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = range.find(separator, begin)) != std::string::npos;
       begin = end + separator.size())
    parts.push_back(range.substr(begin, end - begin));
  parts.push_back(range.substr(begin));
  return parts;
}

}  // namespace

std::vector<Settings> settings_to_try(const std::vector<OptionInfo>& options) {
  std::vector<Settings> all;
  for (const OptionInfo& option : options) {
    const bool numeric = option.range.find(" .. ") != std::string::npos;
    for (const std::string& value : parts_of(option.range, numeric ? " .. " : "|"))
      if (value != option.default_value) all.push_back({{option.name, value}});
  }
  return all;
}

std::string to_string(const Settings& settings) {
  std::string text;
  for (const Setting& setting : settings)
    text += (text.empty() ? "" : " ") + setting.name + "=" + setting.value;
  return text.empty() ? "defaults" : text;
}

std::string Failures::text() const {
  std::string text = std::to_string(count_) + " failures, the first of them:\n";
  for (const std::string& what : shown_) text += "  " + what + "\n";
  return text;
}

}  // namespace winnow::test
