// The tables of `reveal sql`: an explicit registry, from which the help, the schema that is printed
// and the documentation's test come. The first two columns of each are `recording` and `host`.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "duck/table.h"
#include "sql/recording.h"

namespace reveal::sql {

struct TableRow {
  std::string_view name;
  std::string_view help;  // a sentence
  std::span<const duck::Column> columns;
  // Begins to read the rows of one recording, which outlives them.
  base::Result<std::unique_ptr<duck::RowSource>> (*open)(Recording& recording);
};

// Returns all tables in the order in which one would look at them.
std::span<const TableRow> tables();

// Returns the table over all `recordings`, one after the other, which must outlive it.
duck::Table over(const TableRow& row, std::span<const std::unique_ptr<Recording>> recordings);

// Returns tables and columns as text, for people.
std::string schema();

inline constexpr duck::Column kRecordingColumn{"recording", duck::ColumnType::kInteger,
                                               "which of the recordings read together, from 1"};
inline constexpr duck::Column kHostColumn{"host", duck::ColumnType::kText, "the recorded host"};

// The rows of the registry, by what they are made from: the frames (frame_tables.cc) and the
// analysis (report_tables.cc, evidence_tables.cc).
extern const TableRow kSamplesTable;
extern const TableRow kChannelsTable;
extern const TableRow kNotesTable;
extern const TableRow kWindowsTable;
extern const TableRow kFeaturesTable;
extern const TableRow kScoresTable;
extern const TableRow kFindingsTable;
extern const TableRow kChangesTable;
extern const TableRow kLowConfidenceTable;
extern const TableRow kEvidenceTable;
extern const TableRow kWindowEvidenceTable;

}  // namespace reveal::sql
