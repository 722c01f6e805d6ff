#include "live/deviations.h"

#include <algorithm>
#include <cmath>

#include "feature/feature.h"
#include "stats/quantile.h"

namespace reveal::live {
namespace {

// Of a normal distribution: sqrt(pi / 2).
constexpr double kMeanDeviationToDeviation = 1.253314;
constexpr std::size_t kNoColumn = ~std::size_t{0};
// What is usual is learned anew after this many windows, or sooner while there are few.
constexpr std::size_t kRelearnAfter = 60;
// More of them do not move a median that matters.
constexpr std::size_t kMaxLearned = 200;

// What is shown of a channel: a level where it has one.
bool is_level(feature::FeatureId id) {
  const auto name = feature::descriptor(id).name;
  return name == "mean" || name == "sum_values";
}

}  // namespace

double robust_deviation(double value, double median, double mad, double mean_deviation) {
  const double far = std::fabs(value - median);
  const double scale =
      mad > 0 ? stats::kDeviationOfMad * mad : kMeanDeviationToDeviation * mean_deviation;
  // What rounding does to a mean is not a deviation.
  if (far <= 1e-12 * std::fabs(median)) return 0;
  if (!(scale > 0)) return kFarthestShown;
  return std::min(far / scale, kFarthestShown);
}

void Deviations::add_columns(const feature::FeatureMatrix& matrix) {
  for (; known_columns_ < matrix.column_count(); ++known_columns_) {
    const auto key = matrix.column(known_columns_);
    const std::size_t channel = key.channel.index();
    if (channel >= usual_.size()) usual_.resize(channel + 1, {.column = kNoColumn});
    auto& shown = usual_[channel].column;
    const bool better =
        shown == kNoColumn || (is_level(key.feature) && !is_level(matrix.column(shown).feature));
    if (better) shown = known_columns_;
  }
}

void Deviations::learn(const feature::FeatureMatrix& matrix) {
  const std::size_t rows = matrix.row_count();
  const std::size_t step = std::max<std::size_t>(1, rows / kMaxLearned);
  std::vector<double> values;
  for (auto& usual : usual_) {
    if (usual.column == kNoColumn) continue;
    values.clear();
    for (std::size_t row = (rows - 1) % step; row < rows; row += step) {
      const double value = matrix.at(row, usual.column);
      if (std::isfinite(value)) values.push_back(value);
    }
    usual.median = stats::median(values);
    for (auto& value : values) value = std::fabs(value - usual.median);
    double sum = 0;
    for (const double value : values) sum += value;
    usual.mean_deviation = values.empty() ? 0 : sum / static_cast<double>(values.size());
    usual.mad = stats::median(values);
  }
}

std::vector<ChannelState> Deviations::at(const feature::FeatureMatrix& matrix, std::size_t row) {
  const std::size_t columns_before = known_columns_;
  add_columns(matrix);
  const std::size_t newest = matrix.window(matrix.row_count() - 1).id.value();
  const std::size_t due = std::min(kRelearnAfter, learned_rows_ / 4);
  if (columns_before != known_columns_ || newest > learned_last_ + due || learned_rows_ == 0) {
    learn(matrix);
    learned_rows_ = matrix.row_count();
    learned_last_ = newest;
  }
  std::vector<ChannelState> out;
  for (const auto& usual : usual_) {
    if (usual.column == kNoColumn) continue;
    const double now = matrix.at(row, usual.column);
    if (!std::isfinite(now) || !std::isfinite(usual.median)) continue;
    const double deviation = robust_deviation(now, usual.median, usual.mad, usual.mean_deviation);
    out.push_back(
        {matrix.column(usual.column).channel, now, usual.median, deviation, usual.column});
  }
  std::stable_sort(out.begin(), out.end(), [](const ChannelState& a, const ChannelState& b) {
    return a.deviation > b.deviation;
  });
  return out;
}

std::vector<double> recent_values(const feature::FeatureMatrix& matrix, std::size_t column,
                                  std::size_t row, std::size_t count) {
  std::vector<double> out;
  const std::size_t first = row + 1 - std::min(count, row + 1);
  for (std::size_t i = first; i <= row; ++i) out.push_back(matrix.at(i, column));
  return out;
}

}  // namespace reveal::live
