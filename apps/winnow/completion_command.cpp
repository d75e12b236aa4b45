// winnow completion: a script that teaches a shell the commands, options and methods. It is made from the
// program's own commands and registry, so a new one needs no line here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "winnow/registry.hpp"
#include "winnow/simd.hpp"

namespace winnow::cli {
namespace {

constexpr const char* kCompletionExamples = R"~(Examples:
  eval "$(winnow completion bash)"     in ~/.bashrc
  eval "$(winnow completion zsh)"      in ~/.zshrc, after compinit
  winnow completion fish | source      in ~/.config/fish/config.fish)~";

using Words = std::vector<std::string>;

const Words kShells = {"bash", "zsh", "fish"};

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> options = app.get_options();
  std::erase_if(options, [](const CLI::Option* option) { return option->get_lnames().empty(); });
  return options;
}

Words command_names(const CLI::App& app) {
  Words names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

Words option_names(const CLI::App& app) {
  Words names;
  for (const CLI::Option* option : options_of(app)) names.push_back("--" + option->get_lnames().front());
  return names;
}

Words method_names() {
  Words names;
  for (const MethodEntry& entry : methods()) names.push_back(entry.info.name);
  return names;
}

Words simd_names() {
  Words names;
  for (const SimdLevel level : available_simd_levels()) names.emplace_back(to_string(level));
  return names;
}

constexpr const char* kBash = R"~(_winnow() {{
  local words
  case "${{COMP_WORDS[COMP_CWORD-1]}}" in
    winnow) words="{commands}" ;;
    -m|--method) words="{methods}" ;;
    --simd) words="{levels}" ;;
    completion) words="{shells}" ;;
    *) case "${{COMP_WORDS[1]}}" in
{cases}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _winnow winnow
)~";

std::string bash_script(const CLI::App& app) {
  Words cases;
  for (const CLI::App* command : commands_of(app))
    cases.push_back(fmt::format("      {}) words=\"{}\" ;;", command->get_name(),
                                fmt::join(option_names(*command), " ")));
  return fmt::format(kBash, fmt::arg("commands", fmt::join(command_names(app), " ")),
                     fmt::arg("methods", fmt::join(method_names(), " ")),
                     fmt::arg("levels", fmt::join(simd_names(), " ")),
                     fmt::arg("shells", fmt::join(kShells, " ")), fmt::arg("cases", fmt::join(cases, "\n")));
}

// zsh understands bash's scripts when asked to.
std::string zsh_script(const CLI::App& app) {
  return "autoload -Uz bashcompinit && bashcompinit\n" + bash_script(app);
}

// A single quote would end a word of fish.
std::string quoted(std::string text) {
  std::ranges::replace(text, '\'', ' ');
  return "'" + text + "'";
}

// What may follow an option.
std::string fish_values(const CLI::Option& option) {
  const std::string& name = option.get_lnames().front();
  if (name == "method") return fmt::format(" -x -a '{}'", fmt::join(method_names(), " "));
  if (name == "simd") return fmt::format(" -x -a '{}'", fmt::join(simd_names(), " "));
  return option.get_items_expected_max() > 0 ? " -r" : "";
}

std::string fish_script(const CLI::App& app) {
  std::string script;
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    script += fmt::format("complete -c winnow -n __fish_use_subcommand -f -a {} -d {}\n", name,
                          quoted(command->get_description()));
    for (const CLI::Option* option : options_of(*command))
      script +=
          fmt::format("complete -c winnow -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n", name,
                      option->get_lnames().front(), fish_values(*option), quoted(option->get_description()));
  }
  return script + fmt::format("complete -c winnow -n '__fish_seen_subcommand_from completion' -f -a '{}'\n",
                              fmt::join(kShells, " "));
}

}  // namespace

void add_completion_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "print a script for the shell's completion");
  command->footer(kCompletionExamples);
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember(kShells));
  command->callback([shell, &app] {
    if (*shell == "bash") fmt::print("{}", bash_script(app));
    if (*shell == "zsh") fmt::print("{}", zsh_script(app));
    if (*shell == "fish") fmt::print("{}", fish_script(app));
  });
}

}  // namespace winnow::cli
