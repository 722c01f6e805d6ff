// The windows of several runs, and what is said of each: that detectors flag it, what kind of
// finding it is in, and which subsystems and metrics are evidence in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/metric.h"
#include "report/report.h"

namespace reveal::study {

// Kinds of labels: what is said of a window.
enum class LabelKind : std::uint8_t { kState, kSubsystem, kMetric };

// The names of states, in the order in which people read them. A window may be in several.
inline constexpr std::string_view kFlagged = "flagged by the detectors";
inline constexpr std::string_view kInFinding = "in a finding";
inline constexpr std::string_view kSlowJob = "in a finding with a slow job";
inline constexpr std::string_view kInChange = "in a change";
inline constexpr std::string_view kLowConfidence = "of low confidence";

using Label = std::pair<LabelKind, std::string>;

struct LabeledWindows {
  std::size_t count = 0;
  std::map<Label, std::set<std::size_t>> rows;        // by label, the windows that have it
  std::map<std::string, model::Subsystem> subsystem;  // by metric

  // Adds the windows of a run, after those that are there. Evidence counts in findings, changes and
  // findings of low confidence alike.
  void add(const report::Report& report);

  // Returns, by window, 1 if it has the label and 0 if not.
  std::vector<double> flags(const Label& label) const;
};

}  // namespace reveal::study
