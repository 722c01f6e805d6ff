// The tables of findings and their evidence.
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attribute/claim.h"
#include "feature/feature.h"
#include "sql/tables.h"

namespace reveal::sql {
namespace {

using duck::Column;
using duck::ColumnType;
using duck::RowChunk;
using duck::Time;
using exchange::RowOrigin;
using model::Subsystem;
using Rows = base::Result<std::unique_ptr<duck::RowSource>>;

std::optional<double> known(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

constexpr Column kFindingColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"finding", ColumnType::kInteger, "its number, from 1"},
    {"begin_time", ColumnType::kTime, "of its first window, UTC"},
    {"end_time", ColumnType::kTime, "of its last window, UTC"},
    {"first_window", ColumnType::kUnsigned, "the first window's number"},
    {"last_window", ColumnType::kUnsigned, "the last window's number"},
    {"subsystem", ColumnType::kText, "the one with the largest share"},
    {"cpu_share", ColumnType::kDouble, "the cpu's part in the scores, 0 to 1"},
    {"gpu_share", ColumnType::kDouble, "the GPUs'"},
    {"memory_share", ColumnType::kDouble, "memory's"},
    {"network_share", ColumnType::kDouble, "the network's"},
    {"storage_share", ColumnType::kDouble, "storage's"},
    {"agreement", ColumnType::kUnsigned, "most votes on one window"},
    {"detectors", ColumnType::kText, "all that flag a window of it"},
    {"at_start", ColumnType::kBoolean, "it begins with the run, which is seldom a fault"},
    {"claim", ColumnType::kText, "a sentence"},
};

void add_finding(RowChunk& chunk, const RowOrigin& origin, std::size_t index,
                 const attribute::Finding& finding) {
  const auto share = [&](Subsystem subsystem) {
    return finding.subsystems[static_cast<std::size_t>(subsystem)];
  };
  const auto& first = finding.windows.front().span;
  const auto& last = finding.windows.back().span;
  chunk.add(origin.recording, origin.host, static_cast<std::int64_t>(index) + 1,
            Time{first.begin_ns}, Time{last.end_ns}, std::uint64_t{first.id.value()},
            std::uint64_t{last.id.value()}, to_string(finding.subsystem()), share(Subsystem::kCpu),
            share(Subsystem::kGpu), share(Subsystem::kMemory), share(Subsystem::kNetwork),
            share(Subsystem::kStorage), finding.agreement,
            fmt::format("{}", fmt::join(finding.detectors, ", ")), finding.at_start, finding.claim);
}

Rows open_findings(Recording& recording) {
  const auto analysed = recording.report();
  if (!analysed) return base::pass(analysed);
  const auto& findings = (*analysed)->findings;
  return std::make_unique<duck::CountedRows>(
      findings.size(), [&findings, &origin = recording.origin()](RowChunk& chunk, std::size_t row) {
        add_finding(chunk, origin, row, findings[row]);
      });
}

// One piece of evidence, and where in the report it stands.
struct EvidenceRow {
  std::int64_t finding = 0;                    // from 1
  const window::WindowSpan* window = nullptr;  // null: of the whole finding
  std::string_view detector;
  std::int64_t place = 0;  // from 1, by contribution
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
    append(out, {static_cast<std::int64_t>(i) + 1, nullptr, {}, 0, nullptr},
           report.findings[i].evidence);
  }
  return out;
}

std::vector<EvidenceRow> of_windows(const report::Report& report) {
  std::vector<EvidenceRow> out;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    for (const auto& window : report.findings[i].windows) {
      for (const auto& detector : window.detectors) {
        append(out, {static_cast<std::int64_t>(i) + 1, &window.span, detector.detector, 0, nullptr},
               detector.evidence);
      }
    }
  }
  return out;
}

constexpr Column kEvidenceColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"finding", ColumnType::kInteger, "the finding's number"},
    {"place", ColumnType::kInteger, "by contribution, from 1"},
    {"subsystem", ColumnType::kText, "of the metric"},
    {"channel", ColumnType::kText, "metric{instance}, as in channels"},
    {"metric", ColumnType::kText, "its metric"},
    {"instance", ColumnType::kText, "its instance; empty for the host"},
    {"feature", ColumnType::kText, "named as tsfresh names it"},
    {"unit", ColumnType::kText, "of the three values that follow"},
    {"observed", ColumnType::kDouble, "the value in the window that lies farthest out"},
    {"baseline", ColumnType::kDouble, "the median of the windows in no finding and no change"},
    {"baseline_mad", ColumnType::kDouble, "their median absolute deviation"},
    {"contribution", ColumnType::kDouble, "the part in what lifted the scores, 0 to 1"},
    {"moves_with", ColumnType::kText, "the channel that it moves with; itself where none"},
};

constexpr Column kWindowEvidenceColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"finding", ColumnType::kInteger, "the finding's number"},
    {"window_id", ColumnType::kUnsigned, "the window's number"},
    {"detector", ColumnType::kText, "whose evidence it is"},
    {"place", ColumnType::kInteger, "by contribution, from 1"},
    {"subsystem", ColumnType::kText, "of the metric"},
    {"channel", ColumnType::kText, "metric{instance}, as in channels"},
    {"metric", ColumnType::kText, "its metric"},
    {"instance", ColumnType::kText, "its instance; empty for the host"},
    {"feature", ColumnType::kText, "named as tsfresh names it"},
    {"unit", ColumnType::kText, "of the three values that follow"},
    {"observed", ColumnType::kDouble, "the value in this window"},
    {"baseline", ColumnType::kDouble, "the median of the windows in no finding and no change"},
    {"baseline_mad", ColumnType::kDouble, "their median absolute deviation"},
    {"contribution", ColumnType::kDouble, "the part in what lifted this score, 0 to 1"},
};

// Adds a row: `before`, then what both tables tell of a piece of evidence, then `after`.
template <typename... Before, typename... After>
void add_evidence(RowChunk& chunk, const report::Report& report, const attribute::Evidence& item,
                  const std::tuple<Before...>& before, const After&... after) {
  const auto& channels = *report.channel_table;
  const auto key = item.key;
  const auto& metric = channels.metric(key.channel);
  const auto add = [&](const auto&... cells) {
    chunk.add(cells..., to_string(metric.subsystem), channels.name(key.channel), metric.name,
              channels.channel(key.channel).instance, feature::descriptor(key.feature).name,
              attribute::evidence_unit(channels, key), known(item.observed),
              known(item.baseline_median), known(item.baseline_mad), item.contribution, after...);
  };
  std::apply(add, before);
}

Rows open_evidence(Recording& recording) {
  const auto analysed = recording.report();
  if (!analysed) return base::pass(analysed);
  const report::Report& report = **analysed;
  auto rows = of_findings(report);
  const std::size_t count = rows.size();
  return std::make_unique<duck::CountedRows>(
      count, [&report, rows = std::move(rows), &origin = recording.origin()](RowChunk& chunk,
                                                                             std::size_t index) {
        const auto& row = rows[index];
        const auto partner = report.moves_with[row.evidence->key.channel.index()];
        add_evidence(chunk, report, *row.evidence,
                     std::forward_as_tuple(origin.recording, origin.host, row.finding, row.place),
                     report.channel_table->name(partner));
      });
}

Rows open_window_evidence(Recording& recording) {
  const auto analysed = recording.report();
  if (!analysed) return base::pass(analysed);
  const report::Report& report = **analysed;
  auto rows = of_windows(report);
  const std::size_t count = rows.size();
  return std::make_unique<duck::CountedRows>(
      count, [&report, rows = std::move(rows), &origin = recording.origin()](RowChunk& chunk,
                                                                             std::size_t index) {
        const auto& row = rows[index];
        add_evidence(
            chunk, report, *row.evidence,
            std::forward_as_tuple(origin.recording, origin.host, row.finding,
                                  std::uint64_t{row.window->id.value()}, row.detector, row.place));
      });
}

}  // namespace

const TableRow kFindingsTable{"findings", "What was unusual.", kFindingColumns, open_findings};
const TableRow kEvidenceTable{"evidence", "What shows a finding, over all of its windows.",
                              kEvidenceColumns, open_evidence};
const TableRow kWindowEvidenceTable{"window_evidence",
                                    "What shows it to each detector in each window.",
                                    kWindowEvidenceColumns, open_window_evidence};

}  // namespace reveal::sql
