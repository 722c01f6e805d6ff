// The scores of every window as a table: docs/scores.md lists its columns.
#pragma once

#include "base/result.h"
#include "exchange/row_sink.h"
#include "report/report.h"

namespace reveal::tables {

// Writes a row for each analyzed window, from begin() to finish(); with a share for each channel
// that the detectors saw, if the report has them.
base::Result<void> write_score_rows(const report::Report& report, exchange::RowSink& out);

}  // namespace reveal::tables
