// The catalog for programs.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/current_values.h"

namespace reveal::catalog {

// Returns an array with an object for each row; with "values" by instance if `values` is given: a
// number in "value_unit", or null for a channel without one.
std::string metrics_json(const std::vector<Row>& rows, const CurrentValues* values);

// Returns an object: how many metrics there are, how many of them this host has, and what would add
// others, each with its reasons and the names of its metrics.
std::string remedies_json(const std::vector<Row>& rows);

}  // namespace reveal::catalog
