// Layouts of programs that are not a table with one header, each with its own reader.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "exchange/csv_head.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"

namespace reveal::exchange {

struct KnownLayout {
  // Returns whether the first records of a file are of this layout.
  bool (*is)(const std::vector<AheadRecords::Row>& rows);
  // Takes all records.
  base::Result<void> (*gather)(AheadRecords& records, const ImportOptions& options, Gathering& out);
};

// Returns the layout of the records that were looked at, or nullptr.
const KnownLayout* known_layout(const std::vector<AheadRecords::Row>& rows);

// Returns whether a file begins as one of these does. False if it cannot be read.
bool is_known_text(const std::filesystem::path& path);

}  // namespace reveal::exchange
