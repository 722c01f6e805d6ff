#include "sql/tables.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace reveal::sql {
namespace {

using duck::RowSource;

// The rows of each recording in turn.
class ChainedRows : public RowSource {
 public:
  ChainedRows(const TableRow& table, std::span<const std::unique_ptr<Recording>> recordings)
      : table_(table), recordings_(recordings) {}

  base::Result<void> fill(duck::RowChunk& chunk) override {
    while (chunk.room() > 0) {
      if (rows_ == nullptr) {
        if (next_ == recordings_.size()) return {};
        auto opened = table_.open(*recordings_[next_++]);
        if (!opened) return base::pass(opened);
        rows_ = std::move(*opened);
      }
      const std::size_t before = chunk.rows();
      if (auto filled = rows_->fill(chunk); !filled) return filled;
      if (chunk.rows() == before) rows_.reset();
    }
    return {};
  }

 private:
  const TableRow& table_;
  std::span<const std::unique_ptr<Recording>> recordings_;
  std::size_t next_ = 0;
  std::unique_ptr<RowSource> rows_;  // of the recording before `next_`
};

}  // namespace

std::span<const TableRow> tables() {
  static const std::array<TableRow, 11> tables{
      kSamplesTable,       kChannelsTable, kNotesTable,         kWindowsTable,
      kFeaturesTable,      kScoresTable,   kFindingsTable,      kChangesTable,
      kLowConfidenceTable, kEvidenceTable, kWindowEvidenceTable};
  return tables;
}

duck::Table over(const TableRow& row, std::span<const std::unique_ptr<Recording>> recordings) {
  return {row.name, row.help, row.columns,
          [&row, recordings]() -> base::Result<std::unique_ptr<RowSource>> {
            return std::make_unique<ChainedRows>(row, recordings);
          }};
}

std::string schema() {
  std::string out;
  for (const TableRow& table : tables()) {
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", table.name, table.help);
    for (const duck::Column& column : table.columns) {
      out +=
          fmt::format("  {:<24} {:<9} {}\n", column.name, duck::sql_name(column.type), column.help);
    }
  }
  return out;
}

}  // namespace reveal::sql
