// report.json: the machine's view of a report. docs/report.md is its description; a change of
// meaning raises kSchemaVersion.
#pragma once

#include <string>

#include "report/report.h"

namespace reveal::report {

// Returns the report as indented JSON with a final newline. Undefined numbers are null. The cost is
// the last section.
std::string to_json(const Report& report);

}  // namespace reveal::report
