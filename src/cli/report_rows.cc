#include "cli/report_rows.h"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "attribute/claim.h"
#include "feature/feature.h"

namespace reveal::cli {
namespace {

using base::Result;
using exchange::Cell;
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

Row window_row(const report::Report& report, std::size_t row) {
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

Result<void> write_windows(const Analysed& run, bool, RowSink& out) {
  Columns columns = window_columns({{"first_tick", kCount},
                                    {"missing_ticks", kCount},
                                    {"flagged_by", kCount},
                                    {"finding", kCount},
                                    {"subsystem", kText}});
  for (const auto& detector : run.report.detectors) {
    columns.push_back({"score_" + detector.name, kReal});
  }
  return write_all_rows(out, columns, run.report.windows.size(),
                        [&](std::size_t i) { return window_row(run.report, i); });
}

Result<void> write_scores(const Analysed& run, bool, RowSink& out) {
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

Result<void> write_features_wide(const Analysed& run, RowSink& out) {
  const auto& matrix = run.pipeline.features();
  Columns columns = window_columns();
  for (std::size_t i = 0; i < matrix.column_count(); ++i) {
    columns.push_back({column_name(run.pipeline, matrix.column(i)), kReal});
  }
  return write_all_rows(out, columns, matrix.row_count(), [&](std::size_t row) {
    const auto& window = matrix.window(row);
    Row cells{count(window.id.value()), window.begin_ns, window.end_ns};
    for (std::size_t i = 0; i < matrix.column_count(); ++i) cells.emplace_back(matrix.at(row, i));
    return cells;
  });
}

Result<void> write_features_long(const Analysed& run, RowSink& out) {
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

Result<void> write_features(const Analysed& run, bool wide, RowSink& out) {
  return wide ? write_features_wide(run, out) : write_features_long(run, out);
}

Result<void> write_findings(const Analysed& run, bool, RowSink& out) {
  Columns columns{{"finding", kCount},      {"begin_ns", kInteger},  {"end_ns", kInteger},
                  {"first_window", kCount}, {"last_window", kCount}, {"subsystem", kText},
                  {"agreement", kCount},    {"at_start", kTruth},    {"claim", kText}};
  for (int i = 0; i < model::kSubsystemCount; ++i) {
    columns.push_back(
        {fmt::format("share_{}", to_string(static_cast<model::Subsystem>(i))), kReal});
  }
  const auto& findings = run.report.findings;
  return write_all_rows(out, columns, findings.size(), [&](std::size_t i) {
    const auto& finding = findings[i];
    const auto& first = finding.windows.front().span;
    const auto& last = finding.windows.back().span;
    Row cells{count(i + 1),
              first.begin_ns,
              last.end_ns,
              count(first.id.value()),
              count(last.id.value()),
              text(model::to_string(finding.subsystem())),
              count(finding.agreement),
              finding.at_start,
              finding.claim};
    for (const double share : finding.subsystems) cells.emplace_back(share);
    return cells;
  });
}

Row evidence_row(const report::Report& report, std::size_t finding,
                 const attribute::Evidence& item) {
  const auto& channels = *report.channel_table;
  const auto& metric = channels.metric(item.key.channel);
  return {count(finding + 1),
          text(metric.name),
          text(channels.channel(item.key.channel).instance),
          text(feature::descriptor(item.key.feature).name),
          text(model::to_string(metric.subsystem)),
          attribute::evidence_unit(channels, item.key),
          item.observed,
          item.baseline_median,
          item.baseline_mad,
          item.contribution};
}

Result<void> write_evidence(const Analysed& run, bool, RowSink& out) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < run.report.findings.size(); ++i) {
    for (const auto& item : run.report.findings[i].evidence) {
      rows.push_back(evidence_row(run.report, i, item));
    }
  }
  return write_all_rows(out,
                        {{"finding", kCount},
                         {"metric", kText},
                         {"instance", kText},
                         {"feature", kText},
                         {"subsystem", kText},
                         {"unit", kText},
                         {"observed", kReal},
                         {"baseline_median", kReal},
                         {"baseline_mad", kReal},
                         {"contribution", kReal}},
                        rows.size(), [&](std::size_t i) { return rows[i]; });
}

constexpr std::array<ReportTable, 5> kTables{{{"windows", write_windows},
                                              {"features", write_features},
                                              {"scores", write_scores},
                                              {"findings", write_findings},
                                              {"evidence", write_evidence}}};

}  // namespace

std::span<const ReportTable> report_tables() {
  return kTables;
}

const ReportTable* find_report_table(std::string_view name) {
  for (const auto& table : kTables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

}  // namespace reveal::cli
