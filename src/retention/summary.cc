#include "retention/summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "derive/signal.h"

namespace reveal::retention {
namespace {

struct Words {
  std::string_view suffix;
  std::string_view label;
  std::string_view help;
};

constexpr std::array<Words, kStatistics> kWords{{
    {"_min", "lowest", "Lowest value within one tick of a rollup."},
    {"_max", "highest", "Highest value within one tick of a rollup."},
    {"_mean", "mean", "Mean value within one tick of a rollup."},
}};

const Words& words(Statistic statistic) {
  return kWords[static_cast<std::size_t>(statistic)];
}

// Events are summed when they are analyzed; what a rollup summarizes is how fast they came.
std::string unit_of(const model::MetricDescriptor& raw) {
  if (raw.kind == model::Kind::kEvent) return std::string(raw.unit) + "/s";
  model::ChannelTable scratch;
  return std::string(scratch.metric(derive::add_signal_metric(scratch, raw)).unit);
}

}  // namespace

std::string_view suffix(Statistic statistic) {
  return words(statistic).suffix;
}

void Summary::add(double value) {
  if (!std::isfinite(value)) return;
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  ++count_;
  mean_ += (value - mean_) / static_cast<double>(count_);
}

double rounded(double value, int bits) {
  constexpr int kMantissaBits = 53;
  if (bits >= kMantissaBits) return value;
  const std::uint64_t unit = std::uint64_t{1} << (kMantissaBits - bits);
  const std::uint64_t near = std::bit_cast<std::uint64_t>(value) + unit / 2;
  const auto out = std::bit_cast<double>(near & ~(unit - 1));
  return std::isfinite(out) ? out : value;
}

double rounded_within(double value, double spread) {
  if (!(spread > 0) || !std::isfinite(spread)) return value;
  const double step = std::exp2(std::floor(std::log2(spread / kMeanSteps)));
  const double out = std::nearbyint(value / step) * step;
  return step > 0 && std::isfinite(out) ? out : value;
}

double Summary::value(Statistic statistic, model::Kind kind) const {
  const bool rates = kind == model::Kind::kCounter || kind == model::Kind::kEvent;
  const auto extreme = [&](double value) { return rates ? rounded(value, kRateBits) : value; };
  switch (statistic) {
    case Statistic::kMin:
      return extreme(min_);
    case Statistic::kMax:
      return extreme(max_);
    case Statistic::kMean:
      break;
  }
  const double mean = rates ? rounded(mean_, kRateBits) : rounded_within(mean_, max_ - min_);
  return std::clamp(mean, extreme(min_), extreme(max_));
}

std::array<model::MetricId, kStatistics> add_summary_metrics(model::ChannelTable& table,
                                                             const model::MetricDescriptor& raw) {
  const std::string unit = unit_of(raw);
  std::array<model::MetricId, kStatistics> out;
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const std::string name = std::string(raw.name).append(kWords[i].suffix);
    const std::string label = std::string(raw.label).append(", ").append(kWords[i].label);
    model::MetricDescriptor metric = raw;
    metric.name = name;
    metric.label = label;
    metric.unit = unit;
    metric.kind = model::Kind::kGauge;
    metric.repr = model::Repr::kF64;
    metric.counter_bits = 64;
    metric.scale = 1.0;
    metric.alias = {};
    metric.help = kWords[i].help;
    // If two say the same, the metric itself is the one to keep.
    if (metric.rank < std::numeric_limits<std::int16_t>::max()) ++metric.rank;
    out[i] = table.add_metric(metric);
  }
  return out;
}

}  // namespace reveal::retention
