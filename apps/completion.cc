#include "completion.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

namespace sinew {
namespace {

// The long names of a command's options, separated by blanks.
std::string OptionsOf(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words += (words.empty() ? "--" : " --") + name;
  }
  return words;
}

std::string Names(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : app.get_subcommands({})) words += (words.empty() ? "" : " ") + command->get_name();
  return words;
}

// Words that begin with a dash complete to options, the first word to commands, others to files.
std::string Bash(const CLI::App& app) {
  std::ostringstream script;
  script << "# sinew completion: source <(sinew completion bash)\n"
            "_sinew() {\n"
            "  local word=${COMP_WORDS[COMP_CWORD]} options=\n"
            "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '"
         << Names(app) << "' -- \"$word\")); return; fi\n  case ${COMP_WORDS[1]} in\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    script << "    " << command->get_name() << ") options='" << OptionsOf(*command) << "' ;;\n";
  }
  script << "  esac\n"
            "  case $word in -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;; esac\n"
            "}\n"
            "complete -o default -F _sinew sinew\n";
  return script.str();
}

std::string Fish(const CLI::App& app) {
  std::ostringstream script;
  script << "# sinew completion: sinew completion fish > ~/.config/fish/completions/sinew.fish\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string name = command->get_name();
    script << "complete -c sinew -n __fish_use_subcommand -a " << name << " -d '" << command->get_description()
           << "'\n";
    std::istringstream options(OptionsOf(*command));
    for (std::string option; options >> option;) {
      script << "complete -c sinew -n '__fish_seen_subcommand_from " << name << "' -l " << option.substr(2) << "\n";
    }
  }
  return script.str();
}

}  // namespace

void AddCompletion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes commands in a shell");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &app] {
    const std::string prelude = *shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
    std::printf("%s%s", prelude.c_str(), (*shell == "fish" ? Fish(app) : Bash(app)).c_str());
  });
}

}  // namespace sinew
