// The table of all features. Each function stands in a file of its own or of its kind, which states
// formula, minimum length and the result on constant input; it is declared here and nowhere else,
// since everything reaches it through its row.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "feature/feature.h"

namespace reveal::feature {

double mean(const FeatureInput&);
double variance(const FeatureInput&);
double standard_deviation(const FeatureInput&);
double minimum(const FeatureInput&);
double maximum(const FeatureInput&);
double median(const FeatureInput&);
double skewness(const FeatureInput&);
double kurtosis(const FeatureInput&);
double linear_trend_slope(const FeatureInput&);
double linear_trend_rvalue(const FeatureInput&);
double autocorrelation_lag_1(const FeatureInput&);
double absolute_sum_of_changes(const FeatureInput&);
double mean_change(const FeatureInput&);
double sum_values(const FeatureInput&);

namespace {

using enum FeatureUnit;
using enum FeatureShift;
using enum FeatureSet;

// name, phrase, unit, shift, set, fewest samples, help, function, legible
constexpr std::array kRegistry{
    FeatureDescriptor{"mean", "mean", kSame, kFollows, kDynamic, 1,
                      "Arithmetic mean. Constant c gives c.", mean, true},
    FeatureDescriptor{"variance", "variance", kSquared, kInvariant, kDynamic, 1,
                      "Mean squared deviation from the mean, divisor n. Constant gives 0.",
                      variance},
    FeatureDescriptor{"standard_deviation", "standard deviation", kSame, kInvariant, kDynamic, 1,
                      "Root of the variance. Constant gives 0.", standard_deviation},
    FeatureDescriptor{"minimum", "minimum", kSame, kFollows, kDynamic, 1,
                      "Smallest sample. Constant c gives c.", minimum, true},
    FeatureDescriptor{"maximum", "maximum", kSame, kFollows, kDynamic, 1,
                      "Largest sample. Constant c gives c.", maximum, true},
    FeatureDescriptor{"median", "median", kSame, kFollows, kDynamic, 1,
                      "Middle sample, or the mean of the middle two. Constant c gives c.", median,
                      true},
    FeatureDescriptor{
        "skewness", "skewness", kNone, kInvariant, kDynamic, 3,
        "Asymmetry of the distribution, adjusted for sample size (G1). Constant gives "
        "0.",
        skewness},
    FeatureDescriptor{"kurtosis", "kurtosis", kNone, kInvariant, kDynamic, 4,
                      "Weight of the distribution's tails over a normal one's, adjusted for sample "
                      "size (G2). Constant gives 0.",
                      kurtosis},
    FeatureDescriptor{"linear_trend__attr_\"slope\"", "trend", kPerTick, kInvariant, kDynamic, 2,
                      "Slope of the least-squares line over the samples. Constant gives 0.",
                      linear_trend_slope},
    FeatureDescriptor{
        "linear_trend__attr_\"rvalue\"", "trend strength", kNone, kInvariant, kDynamic, 2,
        "Correlation of the samples with time, -1 to 1. Constant gives 0.", linear_trend_rvalue},
    FeatureDescriptor{
        "autocorrelation__lag_1", "persistence", kNone, kInvariant, kDynamic, 2,
        "Correlation of each sample with the one before it. Undefined for a constant.",
        autocorrelation_lag_1},
    FeatureDescriptor{"absolute_sum_of_changes", "total movement", kSame, kInvariant, kDynamic, 2,
                      "Sum of the absolute steps between neighbouring samples. Constant gives 0.",
                      absolute_sum_of_changes},
    FeatureDescriptor{"mean_change", "mean change", kPerTick, kInvariant, kDynamic, 2,
                      "Last sample less the first, over the number of steps. Constant gives 0.",
                      mean_change},
    FeatureDescriptor{"sum_values", "total", kSame, kTimesCount, kEvents, 1,
                      "Sum of the samples. Constant c gives n c.", sum_values, true},
};

template <FeatureSet set>
consteval auto ids_in_set() {
  constexpr auto belongs = [](const FeatureDescriptor& row) { return row.set == set; };
  constexpr auto count =
      static_cast<std::size_t>(std::count_if(kRegistry.begin(), kRegistry.end(), belongs));
  std::array<FeatureId, count> ids;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kRegistry.size(); ++i)
    if (belongs(kRegistry[i])) ids[next++] = FeatureId(i);
  return ids;
}

constexpr auto kDynamicIds = ids_in_set<kDynamic>();
constexpr auto kEventIds = ids_in_set<kEvents>();

}  // namespace

std::span<const FeatureDescriptor> registry() {
  return kRegistry;
}

std::span<const FeatureId> features_for(model::Kind kind) {
  switch (kind) {
    case model::Kind::kCounter:
    case model::Kind::kGauge:
      return kDynamicIds;
    case model::Kind::kEvent:
      return kEventIds;
    case model::Kind::kStatic:
      break;
  }
  return {};
}

std::span<const FeatureId> features_for(const model::MetricDescriptor& metric) {
  if (metric.scope == model::Scope::kRecorder) return {};
  return features_for(metric.kind);
}

std::optional<FeatureId> find_feature(std::string_view name) {
  for (std::size_t i = 0; i < kRegistry.size(); ++i)
    if (kRegistry[i].name == name) return FeatureId(i);
  return std::nullopt;
}

double compute(const FeatureDescriptor& feature, const FeatureInput& input) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  if (input.values.size() < feature.min_samples) return kUndefined;
  const double value = feature.compute(input);
  return std::isfinite(value) ? value : kUndefined;
}

}  // namespace reveal::feature
