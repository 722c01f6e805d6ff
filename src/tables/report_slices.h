// The findings of an analysis as slices of a timeline.
#pragma once

#include <vector>

#include "exchange/timeline.h"
#include "report/saved_report.h"

namespace reveal::tables {

// Returns a slice for each finding, on a row for each subsystem, with its claim as the name; then
// for each detector a row of the windows that it flagged, those that overlap or touch as one slice,
// since slices of a row must not overlap.
std::vector<exchange::Slice> report_slices(const report::SavedReport& report);

}  // namespace reveal::tables
