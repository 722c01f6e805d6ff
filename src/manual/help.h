// The text of --help.
#pragma once

#include <string>

#include "manual/command_row.h"

namespace reveal::manual {

// Returns what --help prints of a command: how it is used, what it does, its subcommands and
// options under their headings, in lines of at most 80 columns.
std::string help_text(const CommandRow& command);

}  // namespace reveal::manual
