// Completion for fish: a line for each subcommand, option and place, each with the condition under
// which it is offered.
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/completion.h"

namespace reveal::manual {
namespace {

constexpr std::string_view kConditions =
    R"fish(# Whether the words so far begin with these subcommands, and CMD has not begun.
function __reveal_in
    set -l words (commandline -opc)
    contains -- -- $words; and return 1
    test (count $words) -gt (count $argv); or return 1
    test (count $argv) -eq 0; and return 0
    for i in (seq (count $argv))
        set -l at (math $i + 1)
        test "$argv[$i]" = "$words[$at]"; or return 1
    end
end

# The same if nothing follows them.
function __reveal_next
    test (count (commandline -opc)) -eq (math (count $argv) + 1); and __reveal_in $argv
end

# Whether CMD has begun, and what fish offers for it.
function __reveal_in_cmd
    contains -- -- (commandline -opc)
end
function __reveal_cmd
    set -l words (commandline -opc)
    set -l dashes (contains -i -- -- $words)
    set -l line (string join ' ' -- $words[(math $dashes + 1)..-1] (commandline -ct))
    complete -C "$line"
end

# Each of the words after what stands before the last comma.
function __reveal_list
    set -l before (string replace -rf '[^,]*$' '' -- (commandline -ct))
    printf '%s\n' "$before"$argv
end

complete -c reveal -f
complete -c reveal -n __reveal_in_cmd -a '(__reveal_cmd)'
)fish";

// Within single quotes fish has two escapes.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// The words after the program's name: "baseline save".
std::string subcommands_of(const CommandRow& command) {
  const auto blank = command.path.find(' ');
  return blank == std::string::npos ? "" : command.path.substr(blank + 1);
}

std::string condition(std::string_view function, const std::string& words) {
  return "complete -c reveal -n " +
         fish_quoted(words.empty() ? std::string(function) : fmt::format("{} {}", function, words));
}

// What is offered for a value, as options of fish's own `complete`.
std::string value_of(const OptionRow& row) {
  const auto words = fmt::format("{}", fmt::join(row.words(), " "));
  if (row.takes_list()) return " -x -a " + fish_quoted("(__reveal_list " + words + ")");
  const auto wordy = words.empty() ? "" : " -a " + fish_quoted(words);
  if (row.takes_files()) return " -r -F" + wordy;
  if (row.takes_directories())
    return " -x -a '(__fish_complete_directories (commandline -ct))'" + wordy;
  return " -x" + wordy;
}

std::string option_line(const CommandRow& command, const OptionRow& row) {
  std::string out = condition("__reveal_in", subcommands_of(command));
  if (row.is_positional()) {
    const auto offered = value_of(row);
    // fish does not count places.
    if (offered == " -x") return "";
    return out + (row.takes_files() ? " -F" : offered) + "\n";
  }
  for (const auto& name : row.all_names()) {
    const bool is_long = name.starts_with("--");
    out += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  if (!row.is_flag()) out += value_of(row);
  return out + " -d " + fish_quoted(row.help) + "\n";
}

std::string lines_of(const CommandRow& command) {
  std::string out;
  for (const auto& one : command.subcommands) {
    if (one.hidden()) continue;
    out += fmt::format("{} -a {} -d {}\n", condition("__reveal_next", subcommands_of(command)),
                       one.name, fish_quoted(one.summary));
    if (command.name == command.path) {
      out += fmt::format("{} -a {} -d {}\n", condition("__reveal_next", "help"), one.name,
                         fish_quoted(one.summary));
    }
  }
  // Those of the program itself are offered before a subcommand alone.
  const bool is_program = command.name == command.path;
  for (const auto& row : command.options) {
    auto line = option_line(command, row);
    if (is_program) line.replace(line.find("__reveal_in"), 11, "__reveal_next");
    out += line;
  }
  return out;
}

}  // namespace

std::string fish_completion(const CommandRow& program) {
  std::string out =
      "# What fish offers for reveal: in a file reveal.fish of its completions, or sourced.\n";
  out += kConditions;
  out += condition("__reveal_next", "") + " -a help -d 'print the help of a subcommand'\n";
  for (const auto* command : listed_commands(program)) out += lines_of(*command);
  return out;
}

}  // namespace reveal::manual
