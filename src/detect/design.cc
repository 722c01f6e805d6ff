#include "detect/design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "detect/standardize.h"
#include "feature/feature.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

// What is known of the columns: sums are of defined values.
struct ColumnSummary {
  std::size_t defined = 0;
  double mean = 0;
  double deviation = 0;  // population standard deviation
};

// Two passes: the one-pass formula loses every digit of a small change in a large gauge.
ColumnSummary summary_of(const feature::FeatureMatrix& matrix, std::size_t column) {
  ColumnSummary out;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    const double value = matrix.at(row, column);
    const bool defined = std::isfinite(value);
    out.defined += defined ? 1 : 0;
    out.mean += defined ? value : 0.0;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(out.defined, 1));
  out.mean /= count;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    const double far = matrix.at(row, column) - out.mean;
    out.deviation += std::isfinite(far) ? far * far : 0.0;
  }
  out.deviation = std::sqrt(out.deviation / count);
  return out;
}

// Returns how many of that many windows a column must be defined in.
std::size_t least_of(std::size_t windows) {
  return (windows + 1) / 2;
}

bool is_known(const ColumnSummary& summary, std::size_t windows) {
  if (summary.defined < least_of(windows)) return false;
  return std::isfinite(summary.mean) && std::isfinite(summary.deviation);
}

bool is_constant(const ColumnSummary& summary) {
  return summary.deviation <= kConstantRatio * std::abs(summary.mean);
}

bool is_asked_for(const DesignOptions& options, const feature::FeatureKey& key) {
  if (options.channels.empty()) return true;
  const std::size_t channel = key.channel.index();
  return channel < options.channels.size() && options.channels[channel];
}

base::Result<void> check_window_count(std::size_t windows) {
  if (windows >= static_cast<std::size_t>(kMinWindows)) return {};
  return base::fail(
      base::ErrorKind::kTooLittle,
      fmt::format("too few windows: {}; detection needs at least {}", windows, kMinWindows), {},
      "record for longer, or use a shorter stride");
}

base::Unexpected nothing_varied() {
  return base::fail(base::ErrorKind::kTooLittle, "no feature changed over the run", {},
                    "record while the workload runs, or record more metrics");
}

struct LiveColumns {
  std::vector<std::size_t> columns;
  std::vector<double> mean;
  std::vector<double> scale;
  bool any_moves = false;
};

// Returns how many windows there are of which more is known than the means of a gap.
std::size_t whole_windows(const feature::FeatureMatrix& matrix) {
  std::size_t out = 0;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    if (!matrix.window(row).holds_means) ++out;
  }
  return out;
}

LiveColumns find_live_columns(const feature::FeatureMatrix& matrix, const DesignOptions& options) {
  LiveColumns out;
  const std::size_t whole = whole_windows(matrix);
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    if (!is_asked_for(options, matrix.column(column))) continue;
    const ColumnSummary summary = summary_of(matrix, column);
    if (!is_known(summary, whole)) continue;
    const bool moves = !is_constant(summary);
    if (!moves && !options.keep_constant) continue;
    out.any_moves = out.any_moves || moves;
    out.columns.push_back(column);
    out.mean.push_back(summary.mean);
    out.scale.push_back(moves ? summary.deviation : 0.0);
  }
  return out;
}

std::vector<Eigen::Index> levels_of(const feature::FeatureMatrix& matrix,
                                    const std::vector<std::size_t>& columns) {
  const std::array levels{feature::find_feature("mean"), feature::find_feature("median")};
  std::vector<Eigen::Index> out;
  for (std::size_t live = 0; live < columns.size(); ++live) {
    const std::optional feature = matrix.column(columns[live]).feature;
    const bool is_level = std::find(levels.begin(), levels.end(), feature) != levels.end();
    if (is_level) out.push_back(static_cast<Eigen::Index>(live));
  }
  return out;
}

std::vector<std::vector<Eigen::Index>> by_subsystem(const feature::FeatureMatrix& matrix,
                                                    const Design& design,
                                                    const DesignOptions& options) {
  const std::optional median = feature::find_feature("median");
  const auto key_of = [&](Eigen::Index live) {
    return matrix.column(design.columns[static_cast<std::size_t>(live)]);
  };
  std::vector<Eigen::Index> levels;
  std::ranges::copy_if(design.levels, std::back_inserter(levels), [&](Eigen::Index live) {
    return median && key_of(live).feature == *median;
  });
  if (levels.empty()) levels = design.levels;
  std::vector<std::vector<Eigen::Index>> out(model::kSubsystemCount);
  for (const Eigen::Index live : levels) {
    const std::size_t channel = key_of(live).channel.index();
    const bool known = channel < options.subsystems.size();
    out[known ? static_cast<std::size_t>(options.subsystems[channel]) : 0].push_back(live);
  }
  std::erase_if(out, [](const auto& group) { return group.empty(); });
  return out;
}

SaturationColumns saturation_of(const std::vector<double>& least_rises,
                                const std::vector<std::size_t>& columns) {
  SaturationColumns out;
  for (std::size_t live = 0; live < columns.size() && !least_rises.empty(); ++live) {
    const double least = least_rises[columns[live]];
    if (least <= 0) continue;
    out.live.push_back(static_cast<Eigen::Index>(live));
    out.least.push_back(least);
  }
  return out;
}

// A regime is undefined from so many rows before its first, the windows that share samples with it,
// to so many after.
constexpr Eigen::Index kBeforeRegime = 3;
constexpr Eigen::Index kIntoRegime = 7;

// What lies so many least rises above what is usual in both regimes is judged between them, too: a
// neighbor that has just arrived, not a job that loads.
constexpr double kFarAboveBoth = 3;

double median_of_defined(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::vector<double> defined;
  for (const double value : values) {
    if (std::isfinite(value)) defined.push_back(value);
  }
  return defined.empty() ? 0 : stats::median(std::move(defined));
}

// Rows where one regime becomes the next, half-open.
struct Cut {
  Eigen::Index from = 0;
  Eigen::Index to = 0;
};

std::vector<Cut> cuts_of(const std::vector<std::size_t>& regimes, Eigen::Index rows) {
  std::vector<Cut> out;
  for (std::size_t i = 1; i < regimes.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(regimes[i]);
    out.push_back(
        {std::max<Eigen::Index>(first - kBeforeRegime, 0), std::min(first + kIntoRegime, rows)});
  }
  return out;
}

void center_column(const std::vector<std::size_t>& regimes, const std::vector<Cut>& cuts,
                   Eigen::Ref<Eigen::VectorXd> column) {
  const Eigen::VectorXd raw = column;
  std::vector<double> medians;
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(regimes[i]);
    const auto end =
        i + 1 < regimes.size() ? static_cast<Eigen::Index>(regimes[i + 1]) : column.size();
    medians.push_back(median_of_defined(raw.segment(first, end - first)));
    column.segment(first, end - first).array() -= medians.back();
  }
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const double higher = std::max(medians[i], medians[i + 1]);
    for (Eigen::Index row = cuts[i].from; row < cuts[i].to; ++row) {
      const double above = raw(row) - higher;
      column(row) = above >= kFarAboveBoth ? above : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

// Tells saturation signals by how far they lie from what is usual in their regime.
void center_regimes(const std::vector<std::size_t>& regimes, SaturationColumns& saturation) {
  if (regimes.size() < 2) return;
  const auto cuts = cuts_of(regimes, saturation.x.rows());
  for (Eigen::Index j = 0; j < saturation.x.cols(); ++j) {
    center_column(regimes, cuts, saturation.x.col(j));
  }
  saturation.at_cut.assign(static_cast<std::size_t>(saturation.x.rows()), false);
  for (const auto& cut : cuts) {
    for (auto row = cut.from; row < cut.to; ++row) {
      saturation.at_cut[static_cast<std::size_t>(row)] = true;
    }
  }
}

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Returns columns of a layout by their places in a part of it; those that it lacks are left out.
std::vector<Eigen::Index> in_part(const std::vector<Eigen::Index>& columns,
                                  const std::vector<Eigen::Index>& places) {
  std::vector<Eigen::Index> out;
  for (const Eigen::Index column : columns) {
    const auto at = std::ranges::lower_bound(places, column);
    if (at != places.end() && *at == column) out.push_back(at - places.begin());
  }
  return out;
}

Design part_of(const Design& layout, const std::vector<Eigen::Index>& places) {
  Design out;
  for (const Eigen::Index place : places) {
    out.columns.push_back(layout.columns[static_cast<std::size_t>(place)]);
  }
  out.mean = layout.mean(places);
  out.scale = layout.scale(places);
  out.levels = in_part(layout.levels, places);
  for (const auto& group : layout.by_subsystem) {
    if (auto part = in_part(group, places); !part.empty()) {
      out.by_subsystem.push_back(std::move(part));
    }
  }
  out.saturation.live = in_part(layout.saturation.live, places);
  out.saturation.least = layout.saturation.least;
  out.left_out.columns = layout.mean.size() - out.mean.size();
  // A design without levels has all columns for them.
  out.left_out.levels = layout.levels.empty() ? out.left_out.columns
                                              : std::ssize(layout.levels) - std::ssize(out.levels);
  return out;
}

}  // namespace

std::vector<model::Subsystem> subsystems_of(const model::ChannelTable& channels) {
  std::vector<model::Subsystem> out;
  out.reserve(channels.channel_count());
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    out.push_back(channels.metric(model::ChannelId(i)).subsystem);
  }
  return out;
}

std::size_t least_defined(const feature::FeatureMatrix& matrix) {
  return least_of(whole_windows(matrix));
}

base::Result<Design> make_layout(const feature::FeatureMatrix& matrix,
                                 const DesignOptions& options) {
  if (auto enough = check_window_count(matrix.row_count()); !enough) {
    return base::pass(enough);
  }
  LiveColumns live = find_live_columns(matrix, options);
  if (!live.any_moves) return nothing_varied();
  Design out;
  out.columns = std::move(live.columns);
  out.levels = levels_of(matrix, out.columns);
  out.by_subsystem = by_subsystem(matrix, out, options);
  out.mean = to_vector(live.mean);
  out.scale = to_vector(live.scale);
  out.saturation = saturation_of(options.least_rises, out.columns);
  return out;
}

void add_windows(const feature::FeatureMatrix& matrix, const DesignOptions& options,
                 Design& layout) {
  layout.x = project(matrix, layout);
  layout.saturation.x = project_saturation(matrix, layout);
  center_regimes(options.regimes, layout.saturation);
  layout.saturation.slow = options.slow;
}

base::Result<Design> make_design(const feature::FeatureMatrix& matrix,
                                 const DesignOptions& options) {
  auto out = make_layout(matrix, options);
  if (out) add_windows(matrix, options, *out);
  return out;
}

PartOfLayout moving_part(const Design& layout) {
  PartOfLayout out;
  for (Eigen::Index column = 0; column < layout.scale.size(); ++column) {
    const bool is_kept =
        layout.scale(column) > 0 || std::ranges::binary_search(layout.saturation.live, column);
    if (is_kept) out.places.push_back(column);
  }
  if (!layout.levels.empty() && in_part(layout.levels, out.places).empty()) {
    out.places.resize(static_cast<std::size_t>(layout.scale.size()));
    std::iota(out.places.begin(), out.places.end(), Eigen::Index{0});
  }
  out.design = part_of(layout, out.places);
  return out;
}

Eigen::MatrixXd project(const feature::FeatureMatrix& matrix, const Design& layout,
                        const Projection& asked) {
  const std::size_t count = std::min(asked.count, matrix.row_count() - asked.first);
  Eigen::MatrixXd out(static_cast<Eigen::Index>(count), layout.mean.size());
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    const std::size_t column = layout.columns[static_cast<std::size_t>(j)];
    for (Eigen::Index i = 0; i < out.rows(); ++i) {
      const double value = matrix.at(asked.first + static_cast<std::size_t>(i), column);
      out(i, j) = standardized(value, layout.mean(j), layout.scale(j), asked.limit);
    }
  }
  return out;
}

Eigen::MatrixXd project_saturation(const feature::FeatureMatrix& matrix, const Design& layout,
                                   const Projection& asked) {
  const auto& saturation = layout.saturation;
  const std::size_t count = std::min(asked.count, matrix.row_count() - asked.first);
  Eigen::MatrixXd out(static_cast<Eigen::Index>(count),
                      static_cast<Eigen::Index>(saturation.live.size()));
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const std::size_t column = layout.columns[static_cast<std::size_t>(saturation.live[at])];
    for (Eigen::Index i = 0; i < out.rows(); ++i) {
      const double value = matrix.at(asked.first + static_cast<std::size_t>(i), column);
      out(i, j) = std::isfinite(value) ? value / saturation.least[at]
                                       : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return out;
}

base::Result<void> check_windows(const Windows& x) {
  if (auto enough = check_window_count(static_cast<std::size_t>(x.rows())); !enough) return enough;
  if (x.cols() == 0) return nothing_varied();
  return {};
}

}  // namespace reveal::detect
