#include "detect/workload_baseline.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "detect/evenly_spaced.h"
#include "feature/feature.h"
#include "feature/level.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

// As many as a detector is fitted on: each run then weighs what it counts as.
constexpr auto kMostRows = static_cast<std::size_t>(kMaxFitted);
constexpr Eigen::Index kFolds = 5;
constexpr std::size_t kMediansOf = 100;

std::vector<std::size_t> rows_from(std::size_t first, std::size_t end) {
  std::vector<std::size_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), first);
  return evenly_spaced<std::size_t>(rows, kMostRows);
}

bool is_known_in_most(const feature::FeatureMatrix& matrix, std::size_t column,
                      const std::vector<std::size_t>& rows) {
  std::size_t known = 0;
  for (const auto row : rows) known += std::isfinite(matrix.at(row, column)) ? 1U : 0U;
  return 2 * known > rows.size();
}

std::vector<double> column_values(const feature::FeatureMatrix& matrix, std::size_t column) {
  std::vector<double> out;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    const double value = matrix.at(row, column);
    if (std::isfinite(value)) out.push_back(value);
  }
  return out;
}

// What is told as usual, and what the workload is recognized by, moves with what is judged by.
void learn_medians(const feature::FeatureMatrix& levels, const Design& run, double share,
                   FittedBaseline& out) {
  for (std::size_t i = 0; i < out.columns.size(); ++i) {
    if (run.columns[i] == kAbsentColumn) continue;
    auto values = column_values(levels, run.columns[i]);
    if (values.empty()) continue;
    auto& column = out.columns[i];
    column.mad += share * (stats::mad(values) - column.mad);
    column.median += share * (stats::median(std::move(values)) - column.median);
  }
}

}  // namespace

feature::FeatureMatrix levels_of(const feature::FeatureMatrix& matrix,
                                 const model::ChannelTable& channels, std::size_t first) {
  const auto rows = rows_from(first, matrix.row_count());
  feature::FeatureMatrix out;
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    const bool is_static = metric.kind == model::Kind::kStatic;
    if (is_static || !feature::is_level(metric, key.feature)) continue;
    if (!is_known_in_most(matrix, column, rows)) continue;
    columns.push_back(column);
    out.add_column(key);
  }
  for (const auto row : rows) {
    auto& values = out.add_row(matrix.window(row));
    for (std::size_t i = 0; i < columns.size(); ++i) values[i] = matrix.at(row, columns[i]);
  }
  return out;
}

base::Result<FittedBaseline> fit_workload(feature::FeatureMatrix levels,
                                          const model::ChannelTable& channels,
                                          BaselineOrigin origin,
                                          const window::WindowSpec& windows) {
  FitOptions options;
  options.detectors.names = {"saturation"};
  options.held_out.folds = kFolds;
  options.medians_of = kMediansOf;
  origin.windows = levels.row_count();
  auto out = fit_baseline(std::move(levels), channels, options);
  if (!out) return out;
  out->origin = std::move(origin);
  out->windows = windows;
  out->dynamic_features = {"mean"};
  out->event_features = {"sum_values"};
  return out;
}

base::Result<FittedBaseline> learn_workload(const FittedBaseline& known,
                                            const feature::FeatureMatrix& levels,
                                            const model::ChannelTable& channels,
                                            const BaselineOrigin& origin) {
  const auto run = match(known, levels, channels);
  if (!run) return base::pass(run);
  const std::size_t most = kTimesOneRun * levels.row_count();
  const auto counted = static_cast<double>(std::min<std::uint64_t>(known.origin.windows, most));
  auto out = learn(known, run->design, {}, most);
  if (!out) return out;
  const auto added = static_cast<double>(levels.row_count());
  learn_medians(levels, run->design, added / (counted + added), *out);
  out->origin.host = origin.host;
  out->origin.command = origin.command;
  out->origin.begin_ns = origin.begin_ns;
  out->origin.end_ns = origin.end_ns;
  return out;
}

}  // namespace reveal::detect
