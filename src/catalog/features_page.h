// docs/reference/features.md: all features, from the registry alone, so that the page cannot differ
// from the code.
#pragma once

#include <string>

namespace reveal::catalog {

// Returns the page as Markdown.
std::string features_page();

}  // namespace reveal::catalog
