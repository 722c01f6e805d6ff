// Completion for zsh: a function a command, each one call of _arguments.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/completion.h"

namespace reveal::manual {
namespace {

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string function_name(const CommandRow& command) {
  std::string out = "_" + command.path;
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}

// What is offered for a value. An action with a blank before it is called as it stands.
std::string action(const OptionRow& row) {
  const auto words = fmt::format("{}", fmt::join(row.words(), " "));
  if (row.takes_list()) return fmt::format(" _values -s , {} {}", row.placeholder, words);
  if (row.takes_files() && !words.empty()) return fmt::format(" _reveal_word_or_file {}", words);
  if (row.takes_files()) return "_files";
  if (row.takes_directories()) return "_files -/";
  return words.empty() ? " " : "(" + words + ")";
}

std::string value_of(const OptionRow& row) {
  return fmt::format(":{}:{}", escaped(row.placeholder, ":"), action(row));
}

// "'(-o --output)'{-o+,--output=}'[file]:FILE:_files'"
std::string option_spec(const OptionRow& row) {
  const auto names = row.all_names();
  const bool has_value = !row.is_flag();
  const auto tail =
      shell_quoted(fmt::format("[{}]{}", escaped(row.help, "[]"), has_value ? value_of(row) : ""));
  std::vector<std::string> written;
  written.reserve(names.size());
  for (const auto& name : names) {
    written.push_back(name + (!has_value ? "" : name.starts_with("--") ? "=" : "+"));
  }
  const auto before =
      row.repeats ? std::string("*") : "(" + fmt::format("{}", fmt::join(names, " ")) + ")";
  if (written.size() == 1) return shell_quoted(before) + shell_quoted(written.front()) + tail;
  return fmt::format("{}{{{}}}{}", shell_quoted(before), fmt::join(written, ","), tail);
}

std::string place_spec(const OptionRow& row) {
  if (row.repeats) return shell_quoted("*" + value_of(row));
  return shell_quoted((row.required ? ":" : "::") + value_of(row).substr(1));
}

std::string arguments(const CommandRow& command, std::string_view flags) {
  std::string out = fmt::format("  _arguments {}", flags);
  for (const auto& row : command.options) {
    out += " \\\n    " + (row.is_positional() ? place_spec(row) : option_spec(row));
  }
  return out;
}

std::string leaf_function(const CommandRow& command) {
  return function_name(command) + "() {\n" + arguments(command, "-s -S") + "\n}\n\n";
}

// Of a command with subcommands: the first word is one of them, and theirs are the others.
std::string node_function(const CommandRow& command) {
  std::string described;
  std::string cases;
  for (const auto& one : command.subcommands) {
    if (one.hidden()) continue;
    described += "    " + shell_quoted(one.name + ":" + escaped(one.summary, ":")) + "\n";
    cases += fmt::format("        {}) {} ;;\n", one.name, function_name(one));
  }
  if (command.name == command.path) {
    described += "    'help:print the help of a subcommand'\n";
    cases += fmt::format("        help) {}_help ;;\n", function_name(command));
  }
  std::string out = function_name(command) + "_command() {\n  local -a commands=(\n" + described +
                    "  )\n  _describe -t commands 'subcommand' commands\n}\n\n";
  out += function_name(command) + "_all() {\n  local curcontext=$curcontext state line\n" +
         "  typeset -A opt_args\n" + arguments(command, "-C -S");
  out +=
      fmt::format(" \\\n    '1:subcommand:{}_command' '*::word:->rest'\n", function_name(command));
  return out +
         "  case $state in\n    rest)\n      curcontext=\"${curcontext%:*:*}:" + command.name +
         "-$words[1]:\"\n      case $words[1] in\n" + cases + "      esac ;;\n  esac\n}\n\n";
}

constexpr std::string_view kOuter = R"zsh(_reveal_word_or_file() {
  _alternative "words:word:($*)" 'files:file:_files'
}

_reveal_help() {
  _arguments '1:subcommand:_reveal_command'
}

# After --: what zsh offers for a command.
_reveal() {
  local dashes=${words[(i)--]}
  if ((dashes < CURRENT)); then
    words=("${(@)words[dashes + 1,-1]}")
    ((CURRENT -= dashes))
    _normal
  else
    _reveal_all
  fi
}

# In a file of fpath this is the function's body; else it is sourced, after compinit.
if [[ ${funcstack[1]} == _reveal ]]; then
  _reveal "$@"
else
  compdef _reveal reveal
fi
)zsh";

}  // namespace

std::string zsh_completion(const CommandRow& program) {
  std::string out =
      "#compdef reveal\n# What zsh offers for reveal: in a file _reveal of $fpath, or sourced.\n\n";
  for (const auto* command : listed_commands(program)) {
    if (command->subcommands.empty()) {
      out += leaf_function(*command);
    } else {
      out += node_function(*command);
      if (command != &program) {
        out += function_name(*command) + "() {\n  " + function_name(*command) + "_all\n}\n\n";
      }
    }
  }
  return out + std::string(kOuter);
}

}  // namespace reveal::manual
