// The tables of findings and their evidence, as report/finding_fields.h has them.
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/finding_fields.h"
#include "report/seen_fields.h"
#include "sql/tables.h"

namespace reveal::sql {
namespace {

using duck::Column;
using duck::ColumnType;
using duck::RowChunk;
using duck::Time;
using Rows = base::Result<std::unique_ptr<duck::RowSource>>;

ColumnType sql_type(report::ColumnType type) {
  switch (type) {
    case report::ColumnType::kTruth:
      return ColumnType::kBoolean;
    case report::ColumnType::kInteger:
      return ColumnType::kInteger;
    case report::ColumnType::kCount:
      return ColumnType::kUnsigned;
    case report::ColumnType::kReal:
      return ColumnType::kDouble;
    case report::ColumnType::kTime:
      return ColumnType::kTime;
    case report::ColumnType::kText:
      break;
  }
  return ColumnType::kText;
}

// Returns `first` and then the columns of the registry, whose texts live as long as the program.
std::vector<Column> followed_by(std::vector<Column> first, std::span<const report::Column> rest) {
  for (const auto& column : rest) {
    first.push_back({column.name, sql_type(column.type), column.help});
  }
  return first;
}

std::span<const Column> finding_columns() {
  static const auto columns =
      followed_by({kRecordingColumn, kHostColumn}, report::finding_columns());
  return columns;
}

constexpr Column kFindingColumn{"finding", ColumnType::kUnsigned, "the finding's number"};

std::span<const Column> evidence_columns() {
  static const auto columns = followed_by(
      followed_by({kRecordingColumn, kHostColumn, kFindingColumn}, report::seen_columns()),
      report::evidence_columns());
  return columns;
}

std::span<const Column> window_evidence_columns() {
  static const auto columns =
      followed_by({kRecordingColumn,
                   kHostColumn,
                   kFindingColumn,
                   {"window_id", ColumnType::kUnsigned, "the window's number"},
                   {"detector", ColumnType::kText, "whose evidence it is"}},
                  report::evidence_columns());
  return columns;
}

// Sets one column of a row after the other.
class RowWriter {
 public:
  explicit RowWriter(RowChunk& chunk) : chunk_(chunk) { chunk.begin_row(); }

  template <typename T>
  RowWriter& add(const T& value) {
    chunk_.set(column_++, value);
    return *this;
  }
  template <typename Subject>
  void add_fields(std::span<const report::Field<Subject>> fields, const Subject& subject) {
    for (const auto& cell : report::cells_of(fields, subject)) std::visit(*this, cell);
  }

  void operator()(std::monostate /*none*/) { chunk_.set_null(column_++); }
  void operator()(double value) {
    chunk_.set(column_++, std::isfinite(value) ? std::optional(value) : std::nullopt);
  }
  void operator()(const std::string& value) { add(std::string_view(value)); }
  void operator()(report::WallTime value) { add(Time{value.ns}); }
  template <typename T>
  void operator()(T value) {
    add(value);
  }

 private:
  RowChunk& chunk_;
  std::size_t column_ = 0;
};

// Opens one of report::finding_lists().
template <std::size_t kList>
Rows open_findings(Recording& recording) {
  const auto analyzed = recording.report();
  if (!analyzed) return base::pass(analyzed);
  const report::Report& report = **analyzed;
  const auto& list = report::finding_lists()[kList].get(report);
  return std::make_unique<duck::CountedRows>(
      list.size(),
      [&report, &list, &origin = recording.origin()](RowChunk& chunk, std::size_t row) {
        RowWriter out(chunk);
        out.add(origin.recording).add(std::string_view(origin.host));
        out.add_fields(report::finding_fields(), report::FindingAt{report, list[row], row + 1});
      });
}

// One piece of evidence, and where in the report it stands.
struct EvidenceRow {
  std::uint64_t finding = 0;                   // from 1
  const window::WindowSpan* window = nullptr;  // null: of the whole finding
  std::string_view detector;
  std::size_t place = 0;  // from 1, by contribution
  const attribute::Evidence* evidence = nullptr;
};

void append(std::vector<EvidenceRow>& out, EvidenceRow row,
            const std::vector<attribute::Evidence>& evidence) {
  for (const auto& item : evidence) {
    ++row.place;
    row.evidence = &item;
    out.push_back(row);
  }
}

std::vector<EvidenceRow> of_findings(const report::Report& report) {
  std::vector<EvidenceRow> out;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    append(out, {i + 1, nullptr, {}, 0, nullptr}, report.findings[i].evidence);
  }
  return out;
}

std::vector<EvidenceRow> of_windows(const report::Report& report) {
  std::vector<EvidenceRow> out;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    for (const auto& window : report.findings[i].windows) {
      for (const auto& detector : window.detectors) {
        append(out, {i + 1, &window.span, detector.detector, 0, nullptr}, detector.evidence);
      }
    }
  }
  return out;
}

Rows open_evidence(Recording& recording) {
  const auto analyzed = recording.report();
  if (!analyzed) return base::pass(analyzed);
  const report::Report& report = **analyzed;
  auto rows = of_findings(report);
  const std::size_t count = rows.size();
  return std::make_unique<duck::CountedRows>(count, [&report, rows = std::move(rows),
                                                     &origin = recording.origin()](
                                                        RowChunk& chunk, std::size_t index) {
    const auto& row = rows[index];
    const auto& finding = report.findings[row.finding - 1];
    RowWriter out(chunk);
    out.add(origin.recording).add(std::string_view(origin.host)).add(row.finding);
    out.add_fields(report::seen_fields(), report::SeenEvidence{report, finding, *row.evidence});
    out.add_fields(report::evidence_fields(), report::EvidenceAt{report, *row.evidence, row.place});
  });
}

Rows open_window_evidence(Recording& recording) {
  const auto analyzed = recording.report();
  if (!analyzed) return base::pass(analyzed);
  const report::Report& report = **analyzed;
  auto rows = of_windows(report);
  const std::size_t count = rows.size();
  return std::make_unique<duck::CountedRows>(count, [&report, rows = std::move(rows),
                                                     &origin = recording.origin()](
                                                        RowChunk& chunk, std::size_t index) {
    const auto& row = rows[index];
    RowWriter out(chunk);
    out.add(origin.recording).add(std::string_view(origin.host)).add(row.finding);
    out.add(std::uint64_t{row.window->id.value()}).add(row.detector);
    out.add_fields(report::evidence_fields(), report::EvidenceAt{report, *row.evidence, row.place});
  });
}

}  // namespace

const TableRow kFindingsTable{report::finding_lists()[0].name, report::finding_lists()[0].help,
                              finding_columns(), open_findings<0>};
const TableRow kChangesTable{report::finding_lists()[1].name, report::finding_lists()[1].help,
                             finding_columns(), open_findings<1>};
const TableRow kLowConfidenceTable{report::finding_lists()[2].name, report::finding_lists()[2].help,
                                   finding_columns(), open_findings<2>};
const TableRow kEvidenceTable{"evidence", "What shows a finding, over all of its windows.",
                              evidence_columns(), open_evidence};
const TableRow kWindowEvidenceTable{"window_evidence",
                                    "What shows it to each detector in each window.",
                                    window_evidence_columns(), open_window_evidence};

}  // namespace reveal::sql
