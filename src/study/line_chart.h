// Pictures of a table as courses: lines with the range around them, as SVG (chart.h).
#pragma once

#include <string>

#include "study/result.h"

namespace reveal::study {

// Returns a picture with its legend for each text of plot.of. A picture has a line for each text of
// the first label, over the first value and at the second one; the third and the fourth are the
// range around it. A row without a second value breaks its line, and one without a first value is
// left out. A label has one color in all pictures, eight of them in turn; every second turn is
// dashed. REQUIRES: at least one row; rows of a line in the order of the first value.
std::string line_charts(const Plot& plot, const Table& table);

}  // namespace reveal::study
