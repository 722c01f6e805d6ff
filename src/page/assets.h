// The scripts and styles of a report's page, of the agent's live page and of the analyser's page of
// a fleet, built from web/ and part of this program.
#pragma once

#include <string_view>

namespace reveal::page {

// Returns whether the program was built with its page.
bool is_built();

// Return the text; empty unless is_built().
std::string_view script();
std::string_view style();
std::string_view live_script();
std::string_view live_style();
std::string_view fleet_script();
std::string_view fleet_style();

}  // namespace reveal::page
