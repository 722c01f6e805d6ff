// The text of --help.
#pragma once

#include <string>

#include "cli/option_set.h"

namespace reveal::cli {

// Returns what --help prints of these options: how the command is used, what it does, its
// subcommands and options under their headings, in lines of at most 80 columns.
std::string help_text(const OptionSet& options);

}  // namespace reveal::cli
