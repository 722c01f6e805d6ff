// A picture of a table as points in a plane, as SVG (chart.h).
#pragma once

#include <string>

#include "study/result.h"

namespace reveal::study {

// Returns the picture with its legend: a point a row, by the first two values, both axes to one
// scale. Points are colored by the first label, eight colors in turn, of which every second turn is
// squares. The second label is a state: points of a state are marked, and those without one (an
// empty text) are not. A third value is a time in seconds, which the hint of a point tells.
// REQUIRES: at least one row.
std::string scatter(const Plot& plot, const Table& table);

}  // namespace reveal::study
