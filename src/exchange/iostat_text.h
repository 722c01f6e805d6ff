// What `iostat -t` prints for a terminal, extended (-x) or not: for each report its time, a table
// of processor time and one of devices. Source: iostat(1).
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are iostat's.
bool is_iostat(const std::vector<AheadRecords::Row>& rows);

// Takes all records. The first report, the mean since the boot, is left out and told. Fails with
// kUsage without times or with the values of --human, with kCorrupt on a line that is none.
base::Result<void> gather_iostat(AheadRecords& records, const ImportOptions& options,
                                 Gathering& out);

}  // namespace reveal::exchange
