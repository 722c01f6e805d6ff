// The findings of a live host as a report, so that each is told with the same fields and sentences
// as a recorded one.
#pragma once

#include "live/history.h"
#include "report/report.h"

namespace reveal::live {

// Returns a report with the host, the findings, the notes and the jobs of a judge's history. Its
// channel names are the history's: it must not be used after the judge has taken another frame. It
// has no windows and no detectors. REQUIRES: history.channels.
report::Report report_of(const History& history);

}  // namespace reveal::live
