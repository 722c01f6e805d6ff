// What `sadf -d` prints: tables of sar's reports behind one another, each with a head
// "# hostname;interval;timestamp;...". Source: sadf(1).
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are sadf's.
bool is_sadf(const std::vector<AheadRecords::Row>& rows);

// Takes all records. Restarts and comments are left out and told, and the interrupts of single
// processors, because the file does not name these. Fails with kCorrupt on a row that is none.
base::Result<void> gather_sadf(AheadRecords& records, const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
