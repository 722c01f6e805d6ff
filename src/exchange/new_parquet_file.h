// A Parquet file in the making, and the names of its columns.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/new_file.h"
#include "base/result.h"

namespace reveal::exchange {

// Creates the file that a COPY statement is to write. Fails if no Parquet can be: standard output,
// a device, a folder that may not be written.
base::Result<base::NewFile> new_parquet_file(const std::filesystem::path& path);

// Returns "c0 AS "time", c1 AS ...", for the columns of a TableAppender. DuckDB takes no two names
// that differ in nothing but case, so the later one gets a number; readers of this program go by
// the places and the metadata.
std::string named_columns(std::span<const std::string> names);

}  // namespace reveal::exchange
