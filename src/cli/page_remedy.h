// What to do if this reveal was built without its page.
#pragma once

#include <string>

namespace reveal::cli {

// Returns the remedy: how to build the page if the program lies in a source tree, else how to get a
// program that has it.
std::string page_remedy();

}  // namespace reveal::cli
