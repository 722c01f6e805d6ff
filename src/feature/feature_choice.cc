#include "feature/feature_choice.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace reveal::feature {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 1> kEventSums{"sum_values"};
constexpr std::array<std::string_view, 3> kEventShape{"sum_values", "maximum", "burstiness"};

// tsfresh's MinimalFCParameters.
constexpr std::array<std::string_view, 10> kMinimal{
    "mean",       "variance", "standard_deviation", "minimum",         "maximum", "median",
    "sum_values", "length",   "absolute_maximum",   "root_mean_square"};

constexpr std::array<std::string_view, 13> kDefault{"mean",
                                                    "variance",
                                                    "standard_deviation",
                                                    "minimum",
                                                    "maximum",
                                                    "median",
                                                    "skewness",
                                                    "kurtosis",
                                                    "linear_trend__attr_\"slope\"",
                                                    "linear_trend__attr_\"rvalue\"",
                                                    "autocorrelation__lag_1",
                                                    "absolute_sum_of_changes",
                                                    "mean_change"};

// Moments, extrema, trends, autocorrelation and stationarity tests, as in the paper's section 4.2,
// and totals of movement.
constexpr std::array<std::string_view, 22> kPaper{
    "mean",
    "variance",
    "standard_deviation",
    "minimum",
    "maximum",
    "median",
    "skewness",
    "kurtosis",
    "linear_trend__attr_\"slope\"",
    "linear_trend__attr_\"rvalue\"",
    "autocorrelation__lag_1",
    "autocorrelation__lag_2",
    "autocorrelation__lag_3",
    "abs_energy",
    "absolute_sum_of_changes",
    "mean_change",
    "root_mean_square",
    "quantile__q_0.25",
    "quantile__q_0.75",
    "range",
    R"(augmented_dickey_fuller__attr_"teststat"__autolag_"AIC")",
    "kpss"};

constexpr std::array<FeatureProfile, 4> kProfiles{
    {{"minimal", "level, spread and extremes", kMinimal, kEventSums},
     {"default", "level, spread, shape, trend and movement", kDefault, kEventSums},
     {"paper", "the paper's: level, spread, shape, trend, autocorrelation, stationarity", kPaper,
      kEventSums},
     {"full", "all", {}, kEventShape}}};

const FeatureProfile* find_profile(std::string_view name) {
  for (const auto& profile : kProfiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

void add_names(Names names, std::set<FeatureId>& out) {
  for (const auto name : names) out.insert(*find_feature(name));
}

void add_profile(const FeatureProfile& profile, std::set<FeatureId>& dynamic,
                 std::set<FeatureId>& events) {
  add_names(profile.dynamic, dynamic);
  if (profile.dynamic.empty()) {
    for (std::size_t i = 0; i < registry().size(); ++i) dynamic.insert(FeatureId(i));
  }
  add_names(profile.events, events);
}

std::string profile_names() {
  std::string out;
  for (const auto& profile : kProfiles) {
    out.append(out.empty() ? "" : ", ").append(profile.name);
  }
  return out;
}

}  // namespace

namespace {

// Clocks of constant rate: what moves in them is when they were read.
bool is_clock(std::string_view metric) {
  return metric == "cpu_tsc_cycles_total" || metric == "cpu_tsc_hertz" ||
         metric == "cpu_perf_clock_seconds_total";
}

}  // namespace

std::span<const FeatureId> FeatureChoice::of(const model::MetricDescriptor& metric) const {
  if (metric.scope == model::Scope::kRecorder || is_clock(metric.name)) return {};
  switch (metric.kind) {
    case model::Kind::kCounter:
    case model::Kind::kGauge:
      return dynamic;
    case model::Kind::kEvent:
      return events;
    case model::Kind::kStatic:
      break;
  }
  return {};
}

std::span<const FeatureProfile> feature_profiles() {
  return kProfiles;
}

base::Result<FeatureChoice> choose_features(std::span<const std::string> names) {
  std::set<FeatureId> dynamic;
  std::set<FeatureId> events;
  for (const auto& name : names) {
    if (const auto* profile = find_profile(name)) {
      add_profile(*profile, dynamic, events);
    } else if (const auto feature = find_feature(name)) {
      dynamic.insert(*feature);
    } else {
      return base::fail(
          base::ErrorKind::kUsage, "is neither a feature nor a profile", name,
          "reveal features --list shows the features; the profiles are " + profile_names());
    }
  }
  if (events.empty()) add_names(kEventSums, events);
  return FeatureChoice{{dynamic.begin(), dynamic.end()}, {events.begin(), events.end()}};
}

base::Result<FeatureChoice> exact_features(std::span<const std::string> dynamic,
                                           std::span<const std::string> events) {
  FeatureChoice out;
  for (const auto& [names, into] : {std::pair(dynamic, &out.dynamic), {events, &out.events}}) {
    for (const auto& name : names) {
      const auto feature = find_feature(name);
      if (!feature) {
        return base::fail(base::ErrorKind::kUsage, "is not a feature of this Reveal", name);
      }
      into->push_back(*feature);
    }
  }
  return out;
}

const FeatureChoice& default_features() {
  static const FeatureChoice choice = *choose_features(std::array{std::string(kDefaultProfile)});
  return choice;
}

}  // namespace reveal::feature
