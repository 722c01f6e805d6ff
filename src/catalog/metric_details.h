// Some metrics of the catalog, in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/current_values.h"

namespace reveal::catalog {

// Returns whether a word is about the metric: a shell pattern of its name if it has a *, ? or [,
// else a part of its name, or the whole of its alias, its collector or its subsystem.
bool is_about(std::string_view word, const Row& row);

// Returns a paragraph: what it means, its unit, its source, and what it is now.
std::string details_of(const Row& row, const CurrentValues& values);

}  // namespace reveal::catalog
