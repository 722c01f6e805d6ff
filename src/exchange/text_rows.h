// Rows as CSV, if no value is an empty cell, and as JSON lines, one object a row, if it is
// null.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "exchange/row_sink.h"

namespace reveal::exchange {

// Rows of Format.
base::Result<std::unique_ptr<RowSink>> make_csv_rows(const std::filesystem::path& path);
base::Result<std::unique_ptr<RowSink>> make_csv_gz_rows(const std::filesystem::path& path);
base::Result<std::unique_ptr<RowSink>> make_json_rows(const std::filesystem::path& path);

}  // namespace reveal::exchange
