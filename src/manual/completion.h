// What makes a shell offer subcommands, options and their values when the tab key is pressed:
// scripts for bash, zsh and fish. A script holds all that it needs and never runs the program, so
// that it is quick and works also where the program does not.
//
// Offered are the subcommands that --help lists; after a dash the options; for a value its words,
// files or directories, as its row says (OptionRow); after "--" what the shell offers for CMD.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "manual/command_row.h"

namespace reveal::manual {

struct Shell {
  std::string_view name;
  // Returns the script for a program.
  std::string (*script)(const CommandRow& program);
};

// Returns the shells that there is completion for.
std::span<const Shell> shells();

// One completion_*.cc each.
std::string bash_completion(const CommandRow& program);
std::string zsh_completion(const CommandRow& program);
std::string fish_completion(const CommandRow& program);

// For these alone.

// Returns the command and all below it that are listed, outermost first.
std::vector<const CommandRow*> listed_commands(const CommandRow& program);
// Returns `text` as one word of a shell, in single quotes. fish has escapes within them.
std::string shell_quoted(std::string_view text);

}  // namespace reveal::manual
