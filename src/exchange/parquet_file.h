// An open Parquet file and the session of DuckDB that reads it.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "duck/session.h"

namespace reveal::exchange {

// Returns a session whose statements may read and write files. Fails with kAbsent if DuckDB is not
// installed.
base::Result<duck::Session> open_file_session();

struct ParquetFile {
  std::string path;
  base::UniqueFd fd;
  duck::Session session;

  // Fails if the file cannot be opened, and with kAbsent if DuckDB is not installed.
  static base::Result<ParquetFile> open(const std::filesystem::path& path);

  // Returns the file's name for SQL, as an argument of read_parquet(): that of its descriptor, so
  // that no character of its path is taken for a pattern or an address.
  std::string sql_name() const;
};

}  // namespace reveal::exchange
