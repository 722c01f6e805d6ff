// What `turbostat` prints: for each interval a line of names, one for the whole host, and one for
// each processor, with tabs between. Source: turbostat(8).
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are turbostat's.
bool is_turbostat(const std::vector<AheadRecords::Row>& rows);

// Takes all records. What it tells of a package or a core stands in the row of one of its
// processors; here it is of the package or the core. Fails with kUsage without times.
base::Result<void> gather_turbostat(AheadRecords& records, const ImportOptions& options,
                                    Gathering& out);

}  // namespace reveal::exchange
