// What `vmstat -t 1` prints: two lines of names, then columns between spaces, the time last.
// Source: vmstat(8), "FIELD DESCRIPTION FOR VM MODE".
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records, one cell a line, are vmstat's.
bool is_vmstat(const std::vector<AheadRecords::Row>& rows);

// Takes all lines. Names that come again are skipped; so is the first line of values, which is the
// mean since the boot. Fails with kUsage if there are no times, and with kCorrupt on a line that is
// not vmstat's.
base::Result<void> gather_vmstat(AheadRecords& records, const ImportOptions& options,
                                 Gathering& out);

}  // namespace reveal::exchange
