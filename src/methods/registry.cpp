#include "winnow/registry.hpp"

#include <array>

#include "winnow/error.hpp"
#include "winnow/methods/brute_force.hpp"
#include "winnow/methods/hierarchical_hash.hpp"
#include "winnow/methods/kdtree_sweep.hpp"
#include "winnow/methods/linear_kdtree.hpp"
#include "winnow/methods/multilevel_hash.hpp"
#include "winnow/methods/sweep.hpp"
#include "winnow/methods/sweep_persistent.hpp"
#include "winnow/methods/tile_sweep.hpp"
#include "winnow/methods/uniform_hash.hpp"

namespace winnow {
namespace {

template <template <int> class Method>
MethodEntry entry() {
  static_assert(PairMethod<Method<2>, 2> && PairMethod<Method<3>, 3>);
  return {Method<3>::info(), Method<3>::option_table().infos(),
          [](const Settings& s) { return AnyMethod<2>::of(Method<2>(Method<2>::option_table().make(s))); },
          [](const Settings& s) { return AnyMethod<3>::of(Method<3>(Method<3>::option_table().make(s))); }};
}

}  // namespace

std::span<const MethodEntry> methods() {
  // One line a method.
  // clang-format off
  static const std::array entries = {
      entry<BruteForce>(),
      entry<Sweep>(),
      entry<SweepPersistent>(),
      entry<LinearKdtree>(),
      entry<UniformHash>(),
      entry<MultilevelHash>(),
      entry<HierarchicalHash>(),
      entry<KdtreeSweep>(),
      entry<TileSweep>(),
  };
  // clang-format on
  return entries;
}

const MethodEntry& find_method(std::string_view name) {
  if (name == "auto") name = default_method();
  std::string known;
  for (const MethodEntry& entry : methods()) {
    if (entry.info.name == name) return entry;
    known += (known.empty() ? "" : ", ") + entry.info.name;
  }
  throw Error("method", "method: there is no '" + std::string(name) + "'; there are " + known + "; auto is " +
                            std::string(default_method()));
}

std::string_view default_method() { return "tile_sweep"; }

}  // namespace winnow
