// A method's options, settable by name: a table beside the options struct gives each field a name, a unit, a
// range and a line of help. Bad names and values are refused with the list of good ones.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winnow {

// What people and programs are told of an option.
struct OptionInfo {
  std::string name;
  std::string help;
  std::string unit;           // "objects", "1" for a ratio, empty for a choice
  std::string range;          // "1 .. 65536", "on|off", "complete|incremental"
  std::string default_value;  // as text that set() accepts
};

// name=value, as typed.
struct Setting {
  std::string name;
  std::string value;
};
using Settings = std::vector<Setting>;

// "leaf_capacity=512" -> {leaf_capacity, 512}; throws Error when there is no '='.
Setting parse_setting(std::string_view text);

namespace detail {
std::size_t parse_integer(const OptionInfo& option, std::string_view text, std::size_t min, std::size_t max);
double parse_real(const OptionInfo& option, std::string_view text, double min, double max);
std::size_t parse_choice(const OptionInfo& option, std::string_view text, std::span<const std::string> names);
[[noreturn]] void unknown_option(std::string_view name, const std::vector<OptionInfo>& known);
std::string real_text(double value);
std::string joined(std::span<const std::string> names);
}  // namespace detail

// static const OptionTable<Options>& table() {
//   static const auto table = OptionTable<Options>()
//       .integer("leaf_capacity", &Options::leaf_capacity, 1, 65536, "objects", "objects a leaf holds before
//       it splits") .choice("mode", &Options::mode, {{"complete", Mode::complete}, {"adaptive",
//       Mode::adaptive}}, "...");
//   return table;
// }
template <class Options>
class OptionTable {
 public:
  OptionTable& integer(std::string name, std::size_t Options::*field, std::size_t min, std::size_t max,
                       std::string unit, std::string help) {
    OptionInfo info{std::move(name), std::move(help), std::move(unit),
                    std::to_string(min) + " .. " + std::to_string(max), std::to_string(Options{}.*field)};
    return add(info, [=](Options& options, std::string_view text) {
      options.*field = detail::parse_integer(info, text, min, max);
    });
  }

  template <class Real>
  OptionTable& real(std::string name, Real Options::*field, double min, double max, std::string unit,
                    std::string help) {
    OptionInfo info{std::move(name), std::move(help), std::move(unit),
                    detail::real_text(min) + " .. " + detail::real_text(max),
                    detail::real_text(static_cast<double>(Options{}.*field))};
    return add(info, [=](Options& options, std::string_view text) {
      options.*field = static_cast<Real>(detail::parse_real(info, text, min, max));
    });
  }

  OptionTable& flag(std::string name, bool Options::*field, std::string help) {
    return choice<bool>(std::move(name), field, {{"off", false}, {"on", true}}, std::move(help));
  }

  template <class Value>
  OptionTable& choice(std::string name, Value Options::*field,
                      std::initializer_list<std::pair<const char*, Value>> choices, std::string help) {
    std::vector<std::string> names;
    std::vector<Value> values;
    std::string default_name;
    for (const auto& [choice_name, value] : choices) {
      names.emplace_back(choice_name);
      values.push_back(value);
      if (value == Options{}.*field) default_name = choice_name;
    }
    OptionInfo info{std::move(name), std::move(help), "", detail::joined(names), default_name};
    return add(info, [=](Options& options, std::string_view text) {
      options.*field = values[detail::parse_choice(info, text, names)];
    });
  }

  void set(Options& options, const Setting& setting) const {
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (infos_[i].name == setting.name) return setters_[i](options, setting.value);
    detail::unknown_option(setting.name, infos_);
  }

  Options make(const Settings& settings) const {
    Options options;
    for (const Setting& setting : settings) set(options, setting);
    return options;
  }

  const std::vector<OptionInfo>& infos() const { return infos_; }

 private:
  using Setter = std::function<void(Options&, std::string_view)>;

  OptionTable& add(OptionInfo info, Setter setter) {
    infos_.push_back(std::move(info));
    setters_.push_back(std::move(setter));
    return *this;
  }

  std::vector<OptionInfo> infos_;
  std::vector<Setter> setters_;
};

}  // namespace winnow
