// The report that a person reads on a terminal.
#pragma once

#include <string>

#include "report/report.h"

namespace reveal::report {

struct TextOptions {
  bool colors = false;
};

// Returns the report in at most 100 columns of UTF-8; its last line is the cost.
std::string to_text(const Report& report, const TextOptions& options);

}  // namespace reveal::report
