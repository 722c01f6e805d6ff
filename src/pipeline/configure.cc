#include "pipeline/configure.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "detect/baseline_file.h"
#include "pipeline/method.h"
#include "select/selection_file.h"

namespace reveal::pipeline {
namespace {

using base::Result;

// Windows, features, channels and detectors are the baseline's: scores of others would mean nothing
// beside it. What the file has of these speaks of other analyses.
Result<void> check_alone(const settings::Given& given, const std::string& path) {
  constexpr std::array<std::string_view, 5> kOfBaseline{"window", "stride", "features", "select",
                                                        "detectors"};
  for (const auto key : kOfBaseline) {
    if (given.flag_text("analysis", key) == nullptr) continue;
    return base::fail(base::ErrorKind::kUsage, fmt::format("is set by the baseline {}", path),
                      std::string(settings::find_setting("analysis", key)->flag), "leave it out");
  }
  return {};
}

Result<void> load_baseline(const settings::Given& given, PipelineConfig& config) {
  const auto& path = config.compared_with;
  if (auto alone = check_alone(given, path); !alone) return alone;
  auto saved = detect::load_baseline(path);
  if (!saved) return base::pass(saved);
  auto choice = feature::exact_features(saved->dynamic_features, saved->event_features);
  if (!choice) {
    choice.error().where = fmt::format("--baseline {}: {}", path, choice.error().where);
    return base::pass(choice);
  }
  config.features = std::move(*choice);
  config.baseline = detect::Baseline::kSaved;
  config.saved = std::make_shared<detect::FittedBaseline>(std::move(*saved));
  return {};
}

Result<void> choose_baseline(const settings::Given& given, PipelineConfig& config) {
  for (const auto known :
       {detect::Baseline::kRun, detect::Baseline::kRest, detect::Baseline::kPast}) {
    if (config.compared_with != to_string(known)) continue;
    config.baseline = known;
    return {};
  }
  return load_baseline(given, config);
}

Result<void> choose_channels(PipelineConfig& config) {
  for (const auto known : {SelectionMode::kAll, SelectionMode::kPrune}) {
    if (config.channels != to_string(known)) continue;
    config.selection = known;
    return {};
  }
  auto plan = select::load(config.channels);
  if (!plan) return base::pass(plan);
  config.selection = SelectionMode::kPlan;
  config.plan = std::move(*plan);
  return {};
}

int votes_in(const PipelineConfig& config) {
  int out = 0;
  if (config.saved) {
    for (const auto& one : config.saved->detectors) out += detect::votes_of(one.detector->name());
  } else {
    for (const auto& name : config.detectors) out += detect::votes_of(name);
  }
  return out;
}

// Detectors vote in the registry's order, however they were named.
Result<void> choose_detectors(PipelineConfig& config) {
  const auto chosen = detect::chosen({.names = config.detectors});
  config.detectors.clear();
  for (const auto& row : chosen) config.detectors.emplace_back(row.name);
  const int votes = votes_in(config);
  if (config.min_agreement <= votes) return {};
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("is more than the {} votes of the detectors", votes),
                    fmt::format("--agreement {}", config.min_agreement),
                    "ask for fewer, or name more --detectors");
}

}  // namespace

settings::Settings settled(const settings::Given& given) {
  return given.over(find_method(given.method())->settings());
}

Result<PipelineConfig> configure(const settings::Given& given) {
  PipelineConfig out;
  static_cast<settings::AnalysisSettings&>(out) = settled(given).analysis;
  auto features = feature::choose_features(out.feature_names);
  if (!features) return base::pass(features);
  out.features = std::move(*features);
  if (auto done = choose_baseline(given, out); !done) return base::pass(done);
  if (auto done = choose_channels(out); !done) return base::pass(done);
  if (auto done = choose_detectors(out); !done) return base::pass(done);
  return out;
}

}  // namespace reveal::pipeline
