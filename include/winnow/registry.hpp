// All methods by name. A new method is one line in src/methods/registry.cpp; tests, command line and
// benchmark go through this list.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "winnow/method.hpp"

namespace winnow {

struct MethodEntry {
  MethodInfo info;
  std::vector<OptionInfo> options;
  AnyMethod<2> (*make_2d)(const Settings& settings);
  AnyMethod<3> (*make_3d)(const Settings& settings);
};

// In the order of the registry: the oracle first, then the papers' methods, then our own.
std::span<const MethodEntry> methods();

// "auto" means default_method(). Throws Error with the list of methods when there is none of that name.
const MethodEntry& find_method(std::string_view name);

template <int Dim>
AnyMethod<Dim> make_method(std::string_view name, const Settings& settings = {}) {
  if constexpr (Dim == 2)
    return find_method(name).make_2d(settings);
  else
    return find_method(name).make_3d(settings);
}

// What find_pairs and the command line use when no method is named.
std::string_view default_method();

}  // namespace winnow
