// What `collectl -P` prints: a line of names such as [CPU]User% and [NET:eth0]RxKB, then a line for
// each moment, set with spaces or with what --sep says. Source: collectl(1), "Plot format".
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are collectl's.
bool is_collectl(const std::vector<AheadRecords::Row>& rows);

// Takes all records. All values are levels, and rates that collectl has computed; sizes are in KiB.
// Times are local ones of the zone that the preamble states, or else taken for UTC, which is told.
base::Result<void> gather_collectl(AheadRecords& records, const ImportOptions& options,
                                   Gathering& out);

}  // namespace reveal::exchange
