// Manual pages, as man(1) reads them: roff with the macros of man(7).
#pragma once

#include <string>

#include "manual/command_row.h"

namespace reveal::manual {

// What every page says besides its command.
struct PageFacts {
  std::string version;    // of the program
  std::string date;       // "2026-11-25"; may be empty
  std::string settings;   // the file of the host's settings
  std::string documents;  // the folder that README.md and docs/ are in
};

// Returns the name of the page of a command: "reveal-record" for "reveal record".
std::string page_name(const CommandRow& command);

// Returns the page of a subcommand of `program`, with those of its own subcommands in it; or of the
// program itself.
std::string man_page(const CommandRow& program, const CommandRow& command, const PageFacts& facts);

}  // namespace reveal::manual
