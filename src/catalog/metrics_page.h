// docs/reference/metrics.md: all metrics by collector, from the registries alone, so that the page
// is the same on every host and cannot differ from the code.
#pragma once

#include <string>

namespace reveal::catalog {

// Returns the page as Markdown.
std::string metrics_page();

}  // namespace reveal::catalog
