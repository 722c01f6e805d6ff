// What `perf stat -I MS -x,` prints: no header, a row for each event and interval.
// Source: perf-stat(1), "CSV FORMAT".
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are perf stat's.
bool is_perf_stat(const std::vector<AheadRecords::Row>& rows);

// Takes all records. Channels are events, "perf_page_faults", of a CPU, core, socket, node or
// control group if perf told them apart; values are what was counted in the interval. Times are
// those since the start that the file's comment states; without one they begin at the epoch, and
// that is told. Fails with kCorrupt on a row that is not perf stat's.
base::Result<void> gather_perf_stat(AheadRecords& records, const ImportOptions& options,
                                    Gathering& out);

}  // namespace reveal::exchange
