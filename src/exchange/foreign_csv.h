// Samples in anybody's CSV: a header line, a column of times, and either a column for each channel
// (wide) or columns named metric or channel, perhaps instance, and value (long).
#pragma once

#include <filesystem>

#include "base/result.h"
#include "exchange/csv.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

// Row of Format. Errors name file, line and column.
base::Result<void> gather_csv(const std::filesystem::path& path, const ImportOptions& options,
                              Gathering& out);

// The same for records that are open.
base::Result<void> gather_csv_records(CsvRecords records, const ImportOptions& options,
                                      Gathering& out);

}  // namespace reveal::exchange
