// The report that a person reads on a terminal.
#pragma once

#include <string>

#include "report/report.h"
#include "text/time_text.h"

namespace reveal::report {

struct TextOptions {
  bool colors = false;
  text::Clock clock = text::Clock();
};

// Returns the report as UTF-8, in at most 100 columns but for long names, which are never cut. The
// last line is the cost.
std::string to_text(const Report& report, const TextOptions& options);

}  // namespace reveal::report
