#include "detect/footprint.h"

#include <algorithm>
#include <cmath>

#include "feature/feature.h"
#include "feature/level.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

constexpr double kTimes = 1.25;
constexpr double kMiB = 1 << 20;
// What comes and goes beside any workload: a shell, a script, a timer's program.
constexpr Footprint kNoWeight{2 * kMiB, 32 * kMiB, 128 * kMiB, 16, 16, 64 * kMiB};
constexpr std::size_t kLeastKnown = 2;

bool lies_apart(double one, double other, std::size_t place) {
  return is_a_quarter_apart(one, other) && std::abs(one - other) > kNoWeight[place];
}

// Returns the metric of a channel's name, "metric" or "metric{instance}".
std::string_view metric_of(std::string_view channel) {
  return channel.substr(0, channel.find('{'));
}

void add_to(double& sum, double value) {
  if (std::isfinite(value)) sum = std::isfinite(sum) ? sum + value : value;
}

}  // namespace

std::optional<std::size_t> footprint_place(std::string_view metric) {
  const auto* const found = std::ranges::find(kFootprintMetrics, metric);
  if (found == kFootprintMetrics.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kFootprintMetrics.begin());
}

bool is_a_quarter_apart(double value, double usual) {
  if (usual == 0) return value > 0;
  return value >= kTimes * usual || value * kTimes <= usual;
}

std::size_t levels_apart(const Footprint& one, const Footprint& other) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (!std::isfinite(one[i]) || !std::isfinite(other[i])) continue;
    out += lies_apart(one[i], other[i], i) ? 1U : 0U;
  }
  return out;
}

bool are_alike(const Footprint& one, const Footprint& other) {
  std::size_t known = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    known += std::isfinite(one[i]) && std::isfinite(other[i]) ? 1U : 0U;
  }
  return known >= kLeastKnown && levels_apart(one, other) == 0;
}

double distance(const Footprint& one, const Footprint& other) {
  double out = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (!(one[i] > 0) || !(other[i] > 0)) continue;
    out = std::max(out, std::abs(std::log(one[i] / other[i])));
  }
  return out;
}

Footprint footprint_of(const FittedBaseline& baseline) {
  Footprint out = kNoFootprint;
  for (const auto& column : baseline.columns) {
    const auto place = footprint_place(metric_of(column.channel));
    if (place && column.feature == "mean") add_to(out[*place], column.median);
  }
  return out;
}

Footprint median_of(const std::vector<Footprint>& all) {
  Footprint out = kNoFootprint;
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::vector<double> values;
    for (const auto& one : all) {
      if (std::isfinite(one[i])) values.push_back(one[i]);
    }
    if (!values.empty()) out[i] = stats::median(std::move(values));
  }
  return out;
}

Footprint FootprintReader::read(const feature::FeatureMatrix& matrix,
                                const model::ChannelTable& channels, std::size_t row) {
  for (; known_columns_ < matrix.column_count(); ++known_columns_) {
    const auto key = matrix.column(known_columns_);
    const auto& metric = channels.metric(key.channel);
    const auto place = footprint_place(metric.name);
    if (place && feature::is_level(metric, key.feature)) {
      columns_.emplace_back(known_columns_, *place);
    }
  }
  Footprint out = kNoFootprint;
  for (const auto& [column, place] : columns_) add_to(out[place], matrix.at(row, column));
  return out;
}

}  // namespace reveal::detect
