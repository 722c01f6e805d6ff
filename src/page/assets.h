// The page's own script and style, built from web/ and part of this program.
#pragma once

#include <string_view>

namespace reveal::page {

// Returns whether the program was built with its page.
bool is_built();

// Return the text; empty unless is_built().
std::string_view script();
std::string_view style();

}  // namespace reveal::page
