// report.json: the machine's view of a report. docs/report.md is its description; a change of
// meaning raises kSchemaVersion.
#pragma once

#include <string>

#include "report/report.h"

namespace reveal::report {

// Returns the report as indented JSON with a final newline. Undefined numbers are null. The cost is
// the last section.
std::string to_json(const Report& report);

// Returns one finding of the report as the object that its list has there, on one line, without the
// evidence by window: the fields of docs/reference/findings.md, patterns, onsets and evidence.
std::string finding_json(const Report& report, const attribute::Finding& finding);

}  // namespace reveal::report
