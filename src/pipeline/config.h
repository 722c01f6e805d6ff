// The settings of an analysis: its inputs besides the frames.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "detect/fitted_baseline.h"
#include "detect/scored_run.h"
#include "feature/feature_choice.h"
#include "select/selection_plan.h"
#include "settings/settings.h"
#include "window/window_view.h"

namespace reveal::pipeline {

// Which channels the detectors see.
enum class SelectionMode {
  kAll,    // every channel that varies
  kPrune,  // those that remain after pruning this run by correlation, as in the paper
  kPlan,   // those that a saved plan keeps
};

// The settings, and what they name, loaded.
struct PipelineConfig : settings::AnalysisSettings {
  feature::FeatureChoice features = feature::default_features();
  detect::Baseline baseline = detect::Baseline::kRest;
  // With kSaved: what windows are compared with. Windows and features are then as it has them, and
  // `selection` has no effect.
  std::shared_ptr<const detect::FittedBaseline> saved;
  SelectionMode selection = SelectionMode::kAll;
  select::SelectionPlan plan;   // with kPlan
  bool channel_shares = false;  // also of windows that are in no finding
  // Whether analyze() tells which channels move together. REQUIRES: true with kPrune.
  bool redundancy = true;
  // Whether the pipeline counts how much the host's jobs get done, and analyze() tells it.
  bool work_rate = true;
  // Whether the run shall be recognized in the baseline that is made of it. With kSaved it always
  // is looked for there.
  bool fingerprint = false;
  // How features are kept: rounded ones take half of the memory, and are no table for others.
  feature::Precision precision = feature::Precision::kExact;
  // Whether the run is judged as a whole: it is not watched window by window, and becomes no
  // baseline.
  bool whole_run = true;
  // If the run needs more numbers than these (Pipeline::value_count()), it is judged in parts
  // (judged_parts.h), and its features are forgotten. 0: it is judged at once. With kPrune it
  // always is: channels that are pruned by the run itself are known at its end.
  std::size_t most_values = 0;
  // Of a run that is judged in parts, analyze() tells the part alone that has this window for its
  // own, and features() are that part's.
  std::optional<window::WindowId> only_part_of = {};
};

// 76 MB; the analysis needs some three times as much. Of 700 channels that all vary it is 17
// minutes, of those of a usual host two hours.
inline constexpr std::size_t kMostValues = 9'500'000;

// Returns "all", "prune" or "plan".
std::string to_string(SelectionMode mode);

// Returns "run", "rest", "past" or "saved".
std::string to_string(detect::Baseline baseline);

}  // namespace reveal::pipeline
