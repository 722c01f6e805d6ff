// Completion for bash: three tables as functions, and one function that reads the words so far.
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/completion.h"

namespace reveal::manual {
namespace {

constexpr std::string_view kReading = R"bash(
# After --: what bash offers for a command that begins at word $1.
_reveal_cmd() {
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}

# Adds what the variables of _reveal_value say to COMPREPLY.
_reveal_offer() {
  local IFS=$' \t\n' cur=$1 before= found
  if [[ -n $list ]]; then
    [[ $cur == *,* ]] && before=${cur%,*},
    compopt -o nospace 2>/dev/null
  fi
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${cur#"$before"}")
  [[ -z $files && -z $dirs ]] && return
  compopt -o filenames 2>/dev/null
  if [[ -n $files ]]; then
    mapfile -t found < <(compgen -f -- "$cur")
  else
    mapfile -t found < <(compgen -d -- "$cur")
  fi
  COMPREPLY+=("${found[@]}")
}

_reveal() {
  local cur=${COMP_WORDS[COMP_CWORD]} path=reveal place=1 option= word i
  local commands words= list= files= dirs=
  COMPREPLY=()
  # Of --format=json bash makes three words.
  [[ $cur == = ]] && cur=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -- ]]; then
      _reveal_cmd $((i + 1))
      return
    elif [[ $word == = ]]; then
      continue
    elif [[ -n $option ]]; then
      option=
    elif [[ $word == -* ]]; then
      _reveal_value "$path $word" && option=$word
    elif commands=" $(_reveal_commands "$path") " && [[ $commands == *" $word "* ]]; then
      path+=" $word"
    else
      ((place++))
    fi
  done
  if [[ -n $option ]]; then
    _reveal_value "$path $option"
  elif [[ $cur == -* ]]; then
    words=$(_reveal_options "$path") list= files= dirs=
  else
    _reveal_value "$path @$place" || words=$(_reveal_commands "$path") list= files= dirs=
    [[ -z $words$files$dirs ]] && words=$(_reveal_options "$path")
  fi
  _reveal_offer "$cur"
}

complete -F _reveal reveal
)bash";

// What is set for a value: "words='json csv'", "dirs=1".
std::string settings_of(const OptionRow& row) {
  std::string out = fmt::format("words='{}'", fmt::join(row.words(), " "));
  out += row.takes_list() ? " list=1" : " list=";
  out += row.takes_files() ? " files=1" : " files=";
  return out + (row.takes_directories() ? " dirs=1" : " dirs=");
}

// Adds the patterns of all options with a value and of all places of a command, by what is offered.
void add_patterns(const CommandRow& command,
                  std::map<std::string, std::vector<std::string>>& by_settings) {
  std::size_t place = 0;
  for (const auto& row : command.options) {
    auto& patterns = by_settings[settings_of(row)];
    if (row.is_positional()) {
      const auto number = row.repeats ? "*" : fmt::format("{}", ++place);
      patterns.push_back(shell_quoted(command.path + " @") + number);
    } else if (!row.is_flag()) {
      for (const auto& name : row.all_names()) {
        patterns.push_back(shell_quoted(command.path + " " + name));
      }
    }
  }
}

std::string value_function(const CommandRow& program) {
  std::map<std::string, std::vector<std::string>> by_settings;
  for (const auto* command : listed_commands(program)) add_patterns(*command, by_settings);
  std::string out =
      "\n# Says what to offer for the value of an option, or at a place (@1); fails for a flag.\n"
      "_reveal_value() {\n  case $1 in\n";
  for (const auto& [settings, patterns] : by_settings) {
    if (patterns.empty()) continue;
    out += fmt::format("    {})\n      {} ;;\n", fmt::join(patterns, " | \\\n    "), settings);
  }
  return out + "    *) return 1 ;;\n  esac\n}\n";
}

std::string commands_function(const CommandRow& program) {
  std::string out = "\n_reveal_commands() {\n  case $1 in\n";
  for (const auto* command : listed_commands(program)) {
    std::vector<std::string> names;
    for (const auto& one : command->subcommands) {
      if (!one.hidden()) names.push_back(one.name);
    }
    if (names.empty()) continue;
    if (command == &program) {
      out += fmt::format("    {}) echo '{}' ;;\n", shell_quoted(program.path + " help"),
                         fmt::join(names, " "));
      names.emplace_back("help");
    }
    out +=
        fmt::format("    {}) echo '{}' ;;\n", shell_quoted(command->path), fmt::join(names, " "));
  }
  return out + "  esac\n}\n";
}

std::string options_function(const CommandRow& program) {
  std::string out = "\n_reveal_options() {\n  case $1 in\n";
  for (const auto* command : listed_commands(program)) {
    std::vector<std::string> names;
    for (const auto& row : command->options) {
      if (row.is_positional()) continue;
      for (auto& name : row.all_names()) names.push_back(std::move(name));
    }
    out +=
        fmt::format("    {}) echo '{}' ;;\n", shell_quoted(command->path), fmt::join(names, " "));
  }
  return out + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const CommandRow& program) {
  std::string out =
      "# What bash offers for reveal: source it, or put it where bash-completion looks.\n";
  out += commands_function(program) + options_function(program) + value_function(program);
  return out += kReading;
}

}  // namespace reveal::manual
