#include "tables/report_rows.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "feature/feature.h"
#include "report/finding_fields.h"
#include "report/seen_fields.h"
#include "text/time_text.h"

namespace reveal::tables {
namespace {

using base::Result;
using exchange::Cell;
using exchange::CellType;
using exchange::RowColumn;
using exchange::RowSink;
using Row = std::vector<Cell>;
using Columns = std::vector<RowColumn>;
using enum exchange::CellType;

Cell text(std::string_view value) {
  return std::string(value);
}

Cell count(std::uint64_t value) {
  return value;
}

// Writes rows one by one and ends the table.
template <typename RowOf>
Result<void> write_all_rows(RowSink& out, const Columns& columns, std::size_t rows, RowOf row_of) {
  if (auto begun = out.begin(columns); !begun) return begun;
  for (std::size_t i = 0; i < rows; ++i) {
    if (auto done = out.write(row_of(i)); !done) return done;
  }
  return out.finish();
}

// Returns the columns with which every table of windows begins, followed by `more`.
Columns window_columns(std::initializer_list<RowColumn> more = {}) {
  Columns out{{"window", kCount}, {"begin_ns", kInteger}, {"end_ns", kInteger}};
  out.insert(out.end(), more);
  return out;
}

// Returns the place of the finding that a window is in.
std::optional<std::size_t> finding_of(const report::Report& report, window::WindowId id) {
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const auto& windows = report.findings[i].windows;
    if (windows.front().span.id <= id && id <= windows.back().span.id) return i;
  }
  return std::nullopt;
}

std::uint64_t flags_of(const report::Report& report, std::size_t row) {
  std::uint64_t out = 0;
  for (const auto& detector : report.detectors) {
    if (row < detector.flagged.size() && detector.flagged[row]) ++out;
  }
  return out;
}

Result<void> write_windows(const FinishedAnalysis& run, bool, RowSink& out) {
  return write_all_rows(out, window_table_columns(run.report), run.report.windows.size(),
                        [&](std::size_t i) { return window_table_row(run.report, i); });
}

Result<void> write_scores(const FinishedAnalysis& run, bool, RowSink& out) {
  const auto& report = run.report;
  const std::size_t detectors = report.detectors.size();
  return write_all_rows(out,
                        window_columns({{"detector", kText},
                                        {"score", kReal},
                                        {"contamination_limit", kReal},
                                        {"alarm_limit", kReal},
                                        {"flagged", kTruth}}),
                        report.windows.size() * detectors, [&](std::size_t i) {
                          const auto& window = report.windows[i / detectors];
                          const auto& detector = report.detectors[i % detectors];
                          return Row{count(window.id.value()),
                                     window.begin_ns,
                                     window.end_ns,
                                     detector.name,
                                     detector.scores[i / detectors],
                                     detector.contamination_limit,
                                     detector.alarm_limit,
                                     Cell(static_cast<bool>(detector.flagged[i / detectors]))};
                        });
}

std::string column_name(const pipeline::Pipeline& pipeline, const feature::FeatureKey& key) {
  return fmt::format("{}__{}", pipeline.channels().name(key.channel),
                     feature::descriptor(key.feature).name);
}

Result<void> write_features_wide(const FinishedAnalysis& run, RowSink& out) {
  const auto& matrix = run.pipeline.features();
  Columns columns = window_columns();
  const std::vector<bool> all(run.pipeline.channels().channel_count(), true);
  const auto places = feature_places(run.pipeline, all);
  const auto features = feature_columns(run.pipeline, places);
  columns.insert(columns.end(), features.begin(), features.end());
  return write_all_rows(out, columns, matrix.row_count(), [&](std::size_t row) {
    const auto& window = matrix.window(row);
    Row cells{count(window.id.value()), window.begin_ns, window.end_ns};
    append_features(run.pipeline, places, row, cells);
    return cells;
  });
}

Result<void> write_features_long(const FinishedAnalysis& run, RowSink& out) {
  const auto& matrix = run.pipeline.features();
  const auto& channels = run.pipeline.channels();
  const std::size_t width = matrix.column_count();
  return write_all_rows(
      out,
      window_columns(
          {{"metric", kText}, {"instance", kText}, {"feature", kText}, {"value", kReal}}),
      matrix.row_count() * width, [&](std::size_t i) {
        const auto& window = matrix.window(i / width);
        const auto& key = matrix.column(i % width);
        return Row{count(window.id.value()),
                   window.begin_ns,
                   window.end_ns,
                   text(channels.metric(key.channel).name),
                   text(channels.channel(key.channel).instance),
                   text(feature::descriptor(key.feature).name),
                   matrix.at(i / width, i % width)};
      });
}

Result<void> write_features(const FinishedAnalysis& run, bool wide, RowSink& out) {
  return wide ? write_features_wide(run, out) : write_features_long(run, out);
}

CellType cell_type(report::ColumnType type) {
  switch (type) {
    case report::ColumnType::kTruth:
      return kTruth;
    case report::ColumnType::kInteger:
      return kInteger;
    case report::ColumnType::kCount:
      return kCount;
    case report::ColumnType::kReal:
      return kReal;
    case report::ColumnType::kText:
    case report::ColumnType::kTime:
      break;
  }
  return kText;
}

void append(std::span<const report::Column> columns, Columns& out) {
  for (const auto& column : columns) out.push_back({column.name, cell_type(column.type)});
}

struct CellOf {
  template <typename T>
  Cell operator()(const T& value) const {
    return value;
  }
  Cell operator()(report::WallTime value) const { return text::iso_time(value.ns); }
};

template <typename Subject>
void append(std::span<const report::Field<Subject>> fields, const Subject& subject, Row& out) {
  for (const auto& cell : report::cells_of(fields, subject)) {
    out.push_back(std::visit(CellOf(), cell));
  }
}

// Writes one of report::finding_lists().
template <std::size_t kList>
Result<void> write_findings(const FinishedAnalysis& run, bool, RowSink& out) {
  Columns columns;
  append(report::finding_columns(), columns);
  const auto& list = report::finding_lists()[kList].get(run.report);
  return write_all_rows(out, columns, list.size(), [&](std::size_t i) {
    Row cells;
    append(report::finding_fields(), report::FindingAt{run.report, list[i], i + 1}, cells);
    return cells;
  });
}

Result<void> write_evidence(const FinishedAnalysis& run, bool, RowSink& out) {
  Columns columns{{"finding", kCount}};
  append(report::seen_columns(), columns);
  append(report::evidence_columns(), columns);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < run.report.findings.size(); ++i) {
    const auto& finding = run.report.findings[i];
    const auto& evidence = finding.evidence;
    for (std::size_t k = 0; k < evidence.size(); ++k) {
      Row row{count(i + 1)};
      append(report::seen_fields(), report::SeenEvidence{run.report, finding, evidence[k]}, row);
      append(report::evidence_fields(), report::EvidenceAt{run.report, evidence[k], k + 1}, row);
      rows.push_back(std::move(row));
    }
  }
  return write_all_rows(out, columns, rows.size(), [&](std::size_t i) { return rows[i]; });
}

constexpr std::array<ReportTable, 7> kTables{{{"windows", write_windows},
                                              {"features", write_features},
                                              {"scores", write_scores},
                                              {"findings", write_findings<0>},
                                              {"changes", write_findings<1>},
                                              {"low_confidence", write_findings<2>},
                                              {"evidence", write_evidence}}};

}  // namespace

Columns window_table_columns(const report::Report& report) {
  Columns out = window_columns({{"first_tick", kCount},
                                {"missing_ticks", kCount},
                                {"flagged_by", kCount},
                                {"finding", kCount},
                                {"subsystem", kText}});
  for (const auto& detector : report.detectors) out.push_back({"score_" + detector.name, kReal});
  return out;
}

Row window_table_row(const report::Report& report, std::size_t row) {
  const auto& window = report.windows[row];
  const auto finding = finding_of(report, window.id);
  Row cells{count(window.id.value()),
            window.begin_ns,
            window.end_ns,
            window.first_sequence,
            count(window.missing_ticks),
            flags_of(report, row),
            finding ? count(*finding + 1) : Cell(),
            finding ? text(model::to_string(report.findings[*finding].subsystem())) : Cell()};
  for (const auto& detector : report.detectors) cells.emplace_back(detector.scores[row]);
  return cells;
}

std::vector<std::size_t> feature_places(const pipeline::Pipeline& pipeline,
                                        const std::vector<bool>& keep) {
  const auto& matrix = pipeline.features();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < matrix.column_count(); ++i) {
    if (keep[matrix.column(i).channel.value()]) out.push_back(i);
  }
  return out;
}

Columns feature_columns(const pipeline::Pipeline& pipeline, std::span<const std::size_t> places) {
  Columns out;
  for (const auto place : places) {
    out.push_back({column_name(pipeline, pipeline.features().column(place)), kReal});
  }
  return out;
}

void append_features(const pipeline::Pipeline& pipeline, std::span<const std::size_t> places,
                     std::size_t row, Row& out) {
  for (const auto place : places) out.emplace_back(pipeline.features().at(row, place));
}

std::span<const ReportTable> report_tables() {
  return kTables;
}

const ReportTable* find_report_table(std::string_view name) {
  for (const auto& table : kTables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

}  // namespace reveal::tables
