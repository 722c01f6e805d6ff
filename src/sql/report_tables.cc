// The tables of windows, features and scores.
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "feature/feature.h"
#include "sql/tables.h"

namespace reveal::sql {
namespace {

using duck::Column;
using duck::ColumnType;
using duck::RowChunk;
using duck::Time;
using Rows = base::Result<std::unique_ptr<duck::RowSource>>;

std::uint64_t number(const window::WindowSpan& window) {
  return window.id.value();
}

std::optional<double> known(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

constexpr Column kWindowColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"window_id", ColumnType::kUnsigned, "its number"},
    {"begin_utc", ColumnType::kTime, "of its first tick, UTC"},
    {"end_utc", ColumnType::kTime, "of its end, UTC"},
    {"first_sequence", ColumnType::kUnsigned, "its first tick"},
    {"missing_ticks", ColumnType::kUnsigned, "ticks of it without a frame"},
    {"flagged", ColumnType::kBoolean, "it is part of a finding"},
    {"finding", ColumnType::kInteger, "of which; else NULL"},
    {"agreement", ColumnType::kInteger, "votes of the detectors that flag it"},
};

// By window number: the finding that it is part of, from 1.
std::map<std::uint64_t, std::int64_t> finding_by_window(const report::Report& report) {
  std::map<std::uint64_t, std::int64_t> out;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    for (const auto& window : report.findings[i].windows) {
      out[number(window.span)] = static_cast<std::int64_t>(i) + 1;
    }
  }
  return out;
}

Rows open_windows(Recording& recording) {
  const auto analyzed = recording.report();
  if (!analyzed) return base::pass(analyzed);
  const report::Report& report = **analyzed;
  return std::make_unique<duck::CountedRows>(
      report.windows.size(), [&report, findings = finding_by_window(report),
                              &origin = recording.origin()](RowChunk& chunk, std::size_t row) {
        const auto& window = report.windows[row];
        const auto found = findings.find(number(window));
        const bool flagged = found != findings.end();
        chunk.add(origin.recording, origin.host, number(window), Time{window.begin_ns},
                  Time{window.end_ns}, window.first_sequence, window.missing_ticks, flagged,
                  flagged ? std::optional(found->second) : std::nullopt,
                  std::int64_t{report::agreement(report, row)});
      });
}

constexpr Column kFeatureColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"window_id", ColumnType::kUnsigned, "the window's number"},
    {"channel", ColumnType::kText, "metric{instance}, as in channels"},
    {"metric", ColumnType::kText, "its metric"},
    {"instance", ColumnType::kText, "its instance; empty for the host"},
    {"feature", ColumnType::kText, "named as tsfresh names it"},
    {"value", ColumnType::kDouble, "NULL where it is undefined"},
};

Rows open_features(Recording& recording) {
  const auto replayed = recording.features();
  if (!replayed) return base::pass(replayed);
  const feature::FeatureMatrix& matrix = (*replayed)->features();
  const model::ChannelTable& channels = (*replayed)->channels();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    names.push_back(channels.name(model::ChannelId(i)));
  }
  const std::size_t columns = matrix.column_count();
  const std::size_t count = matrix.row_count() * columns;
  return std::make_unique<duck::CountedRows>(
      count, [&matrix, &channels, columns, names = std::move(names), &origin = recording.origin()](
                 RowChunk& chunk, std::size_t cell) {
        const std::size_t row = cell / columns;
        const auto key = matrix.column(cell % columns);
        chunk.add(origin.recording, origin.host, number(matrix.window(row)),
                  names[key.channel.index()], channels.metric(key.channel).name,
                  channels.channel(key.channel).instance, feature::descriptor(key.feature).name,
                  known(matrix.at(row, cell % columns)));
      });
}

constexpr Column kScoreColumns[] = {
    kRecordingColumn,
    kHostColumn,
    {"window_id", ColumnType::kUnsigned, "the window's number"},
    {"detector", ColumnType::kText, "its name, such as zscore"},
    {"score", ColumnType::kDouble, "at least 0; higher is more anomalous"},
    {"quantile", ColumnType::kDouble, "share of the windows that score no higher, 0 to 1"},
    {"contamination_limit", ColumnType::kDouble,
     "what a flagged score must pass if there is no alarm limit: a percentile"},
    {"alarm_limit", ColumnType::kDouble, "what a flagged score must pass; NULL if it is off"},
    {"flagged", ColumnType::kBoolean, "this detector flags the window"},
};

Rows open_scores(Recording& recording) {
  const auto analyzed = recording.report();
  if (!analyzed) return base::pass(analyzed);
  const report::Report& report = **analyzed;
  const std::size_t detectors = report.detectors.size();
  return std::make_unique<duck::CountedRows>(
      report.windows.size() * detectors,
      [&report, detectors, &origin = recording.origin()](RowChunk& chunk, std::size_t cell) {
        const std::size_t row = cell / detectors;
        const auto& detector = report.detectors[cell % detectors];
        const bool flagged = detector.flagged[row];
        chunk.add(origin.recording, origin.host, number(report.windows[row]), detector.name,
                  known(detector.scores[row]), known(detector.quantiles[row]),
                  known(detector.contamination_limit), known(detector.alarm_limit), flagged);
      });
}

}  // namespace

const TableRow kWindowsTable{"windows", "The windows that were analyzed.", kWindowColumns,
                             open_windows};
const TableRow kFeaturesTable{"features", "Each feature of each channel in each window.",
                              kFeatureColumns, open_features};
const TableRow kScoresTable{"scores", "What each detector says of each window.", kScoreColumns,
                            open_scores};

}  // namespace reveal::sql
