#include "winnow/option.hpp"

#include <charconv>
#include <sstream>

#include "winnow/error.hpp"

namespace winnow {

Setting parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw Error("settings", "'" + std::string(text) + "' is not a setting; write name=value");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

namespace detail {
namespace {

[[noreturn]] void refuse(const OptionInfo& option, std::string_view text) {
  std::string message =
      option.name + ": '" + std::string(text) + "' is not a value of it; it takes " + option.range;
  if (!option.unit.empty() && option.unit != "1") message += " " + option.unit;
  throw Error(option.name, message + " (default " + option.default_value + ")");
}

template <class Number>
Number parse_number(const OptionInfo& option, std::string_view text, Number min, Number max) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= min && value <= max))
    refuse(option, text);
  return value;
}

}  // namespace

std::size_t parse_integer(const OptionInfo& option, std::string_view text, std::size_t min, std::size_t max) {
  return parse_number(option, text, min, max);
}

double parse_real(const OptionInfo& option, std::string_view text, double min, double max) {
  return parse_number(option, text, min, max);
}

std::size_t parse_choice(const OptionInfo& option, std::string_view text,
                         std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return i;
  refuse(option, text);
}

void unknown_option(std::string_view name, const std::vector<OptionInfo>& known) {
  std::string message = "'" + std::string(name) + "' is not an option here; there are ";
  for (const OptionInfo& option : known) message += (&option == known.data() ? "" : ", ") + option.name;
  if (known.empty()) message += "none";
  throw Error(std::string(name), message);
}

std::string real_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string joined(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

}  // namespace detail
}  // namespace winnow
