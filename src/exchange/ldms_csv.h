// What the CSV store of LDMS writes: times, the host as ProducerName, the job, and a column a
// metric, "metric#instance" of some. Source: store_csv(7) of LDMS.
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Returns whether the first records are of LDMS.
bool is_ldms(const std::vector<AheadRecords::Row>& rows);

// Takes all records; rows of several hosts may follow one another. The columns that number the
// component, the job and the user are left out.
base::Result<void> gather_ldms(AheadRecords& records, const ImportOptions& options, Gathering& out);

}  // namespace reveal::exchange
