// A Parquet file in the making, and the names of its columns.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "base/result.h"

namespace reveal::exchange {

// A file that appears whole or not at all; its place is claimed at once, not after an hour of work.
class NewParquetFile {
 public:
  // Fails where no file can be there: standard output, a device, a folder that may not be written.
  static base::Result<NewParquetFile> claim(const std::filesystem::path& path);
  NewParquetFile(NewParquetFile&& other) noexcept
      : path_(std::move(other.path_)), open_(std::exchange(other.open_, false)) {}
  NewParquetFile& operator=(NewParquetFile&&) = delete;
  NewParquetFile(const NewParquetFile&) = delete;
  NewParquetFile& operator=(const NewParquetFile&) = delete;
  ~NewParquetFile();

  // Returns where to write it.
  std::string temporary() const { return path_.string() + ".new"; }
  // Gives what was written its name.
  base::Result<void> keep();

 private:
  explicit NewParquetFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  bool open_ = true;
};

// Returns "c0 AS "time", c1 AS ...", for the columns of a TableAppender. DuckDB takes no two names
// that differ in nothing but case, so the later one gets a number; readers of this program go by
// the places and the metadata.
std::string named_columns(std::span<const std::string> names);

}  // namespace reveal::exchange
