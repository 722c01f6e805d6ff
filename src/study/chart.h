// Pictures of tables as SVG, to stand in an HTML page whose style names their colors: classes c0 to
// c3 for values, p0 to p7 for groups of points and for courses, m1 to m3 for the states of points,
// `axis` for lines, `dashed` for courses, and text as it is.
#pragma once

#include <span>
#include <string>

#include "study/result.h"

namespace reveal::study {

// Returns the picture with its title; of spans one for each text of plot.of, the directory of a
// run, as long as that run; of courses one for each text of plot.of. Empty if the table has no row.
// REQUIRES: the table has the plot's columns.
std::string chart(const Plot& plot, const Table& table, std::span<const Run> runs);

}  // namespace reveal::study
