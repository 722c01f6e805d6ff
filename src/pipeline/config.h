// What decides the outcome of an analysis, besides the frames.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detect/fitted_baseline.h"
#include "detect/scored_run.h"
#include "feature/feature_choice.h"
#include "select/selection_plan.h"
#include "window/window_choice.h"

namespace reveal::pipeline {

// Which channels the detectors see.
enum class SelectionMode {
  kAll,    // every channel that varies
  kPrune,  // those that remain after pruning this run by correlation, as in the paper
  kPlan,   // those that a saved plan keeps
};

struct PipelineConfig {
  std::string method = "default";  // what the settings below started from
  window::WindowChoice windows;    // with kSaved: the baseline's
  feature::FeatureChoice features = feature::default_features();
  detect::Baseline baseline = detect::Baseline::kRest;
  // With kSaved: what windows are compared with. Windows and features are then as it has them, and
  // `selection` has no effect.
  std::shared_ptr<const detect::FittedBaseline> saved;
  double contamination = 0.01;
  std::optional<double> threshold;  // see detect::VerdictOptions
  int min_agreement = 2;
  // Findings of which more a day than these are expected by chance have low confidence; nothing:
  // none has.
  std::optional<double> false_alarms_per_day;
  std::uint32_t warm_up = 5;  // windows at the start of the run that raise no alarm
  // Names of those that vote, in the registry's order; a saved baseline has its own.
  std::vector<std::string> detectors = detect::DetectorOptions{}.names;
  std::uint64_t seed = 1;
  double correlation = select::kDefaultThreshold;  // |r| above which channels are redundant
  SelectionMode selection = SelectionMode::kAll;
  select::SelectionPlan plan;   // with kPlan
  bool channel_shares = false;  // also of windows that are in no finding
  // Whether analyse() tells which channels move together. REQUIRES: true with kPrune.
  bool redundancy = true;
};

// Returns "all", "prune" or "plan".
std::string to_string(SelectionMode mode);

// Returns "run", "rest", "past" or "saved".
std::string to_string(detect::Baseline baseline);

}  // namespace reveal::pipeline
