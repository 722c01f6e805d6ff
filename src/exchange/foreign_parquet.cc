// Another program's Parquet is turned into CSV on the side and read as such, so that both are
// understood alike: which column holds the times, which layout it is, what a name says.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "exchange/csv.h"
#include "exchange/foreign_csv.h"
#include "exchange/parquet.h"
#include "exchange/parquet_file.h"
#include "exchange/text_input.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;

// Returns how a column is written to the CSV: times as ns since the epoch, truth as 0 and 1, all
// else as DuckDB writes it.
std::string written(std::string_view name, std::string_view type) {
  const std::string column = duck::quoted_name(name);
  if (type.starts_with("TIMESTAMP") || type == "DATE") {
    return fmt::format("epoch_ns({0}::TIMESTAMP_NS) AS {0}", column);
  }
  if (type == "BOOLEAN") return fmt::format("{0}::TINYINT AS {0}", column);
  return column;
}

Result<std::string> columns_of(ParquetFile& file) {
  auto described = file.session.query(fmt::format(
      "SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet({}))", file.sql_name()));
  if (!described) {
    return base::fail(ErrorKind::kCorrupt, "cannot be read as Parquet: " + described.error().what,
                      file.path);
  }
  std::string out;
  for (auto row = described->next(); !row.empty(); row = described->next()) {
    if (!out.empty()) out += ", ";
    out += written(row[0].value_or(""), row[1].value_or(""));
  }
  return out;
}

// Says the Parquet's path if an error speaks of the CSV that it became.
base::Error about(base::Error error, const std::string& csv, const std::string& path) {
  if (error.where.starts_with(csv)) error.where.replace(0, csv.size(), path);
  return error;
}

}  // namespace

Result<void> gather_parquet(const std::filesystem::path& path, const ImportOptions& options,
                            Gathering& out) {
  auto file = ParquetFile::open(path);
  if (!file) return base::pass(file);
  const auto columns = columns_of(*file);
  if (!columns) return base::pass(columns);
  const std::string csv = file->session.spill_folder() + "/" + path.filename().string() + ".csv";
  const auto copied = file->session.execute(
      fmt::format("COPY (SELECT {} FROM read_parquet({})) TO {} (FORMAT csv, HEADER)", *columns,
                  file->sql_name(), duck::sql_text(csv)));
  if (!copied) {
    return base::fail(ErrorKind::kCorrupt, "cannot be read as Parquet: " + copied.error().what,
                      file->path);
  }
  auto input = TextInput::open(csv);
  if (!input) return base::pass(input);
  const auto gathered = gather_csv_records(CsvRecords(std::move(*input)), options, out);
  if (gathered) return {};
  return base::Unexpected(about(gathered.error(), csv, file->path));
}

}  // namespace reveal::exchange
