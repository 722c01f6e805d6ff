// What a report.json found, as slices of a timeline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exchange/timeline.h"

namespace reveal::cli {

// Returns a slice for each finding, on a row for each subsystem, with its claim as the name; then
// for each detector a row of the windows that it flagged, those that overlap or touch as one slice,
// since slices of a row must not overlap. `where` names the report in errors. Fails with kCorrupt
// where the text is no report of Reveal.
base::Result<std::vector<exchange::Slice>> report_slices(std::string_view text,
                                                         const std::string& where);

}  // namespace reveal::cli
