// winnow-bench reproduce: the papers' tables beside ours.
#include <fmt/format.h>

#include <algorithm>

#include "bench/commands.hpp"
#include "bench/reproduce/reproduce.hpp"
#include "winnow/error.hpp"

namespace winnow::bench {
namespace {

std::vector<Reproduction>& items() {
  static std::vector<Reproduction> items;
  return items;
}

const Reproduction& find_item(const std::vector<Reproduction>& known, const std::string& name) {
  std::string names;
  for (const Reproduction& item : known) {
    if (item.name == name) return item;
    names += (names.empty() ? "" : ", ") + item.name;
  }
  throw Error("item", "reproduce: there is no '" + name + "'; there are " + names);
}

}  // namespace

Reproduction::Reproduction(std::string its_name, std::string its_summary, Run its_run)
    : name(std::move(its_name)), summary(std::move(its_summary)), run(its_run) {
  items().push_back(*this);
}

std::vector<Reproduction> reproductions() {
  std::vector<Reproduction> sorted = items();
  std::ranges::sort(sorted, {}, &Reproduction::name);
  return sorted;
}

void add_reproduce_command(CLI::App& app) {
  struct Arguments {
    std::string item;
    bool list = false;
    ReproduceOptions options;
  };
  CLI::App* command = app.add_subcommand("reproduce", "re-run a table or figure of a paper, side by side");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("item", arguments->item, "what to re-run; --list names them");
  command->add_flag("--list", arguments->list, "list the items");
  command->add_flag("--full", arguments->options.full, "the paper's whole range of sizes, however long");
  command->add_option("--threads", arguments->options.threads, "threads, where the item does not vary them")
      ->capture_default_str();
  command->callback([arguments] {
    const std::vector<Reproduction> known = reproductions();
    if (arguments->list) {
      for (const Reproduction& item : known) fmt::print("{:<18} {}\n", item.name, item.summary);
      return;
    }
    if (arguments->item.empty()) throw Error("item", "reproduce: name an item, or --list");
    find_item(known, arguments->item).run(arguments->options);
  });
}

}  // namespace winnow::bench
