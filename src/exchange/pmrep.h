// What `pmrep -o csv` of Performance Co-Pilot prints: the metrics' names, each with its instance
// behind a dash, perhaps a line of their units, and a line for each moment. Source: pmrep(1).
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are pmrep's.
bool is_pmrep(const std::vector<AheadRecords::Row>& rows);

// Takes all records. pmrep turns counters into rates unless it is given -r: a column with fractions
// is a level. Times are local ones, and are taken for UTC, which is told.
base::Result<void> gather_pmrep(AheadRecords& records, const ImportOptions& options,
                                Gathering& out);

}  // namespace reveal::exchange
