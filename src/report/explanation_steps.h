// The steps of an explanation that are told alike of a finding of a recording (explanation.h) and
// of one that an agent kept, as text of plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/finding.h"
#include "feature/feature.h"
#include "text/time_text.h"

namespace reveal::report {

// A pair of channel and feature, and its part in the blame.
struct ExplainedPair {
  std::string channel;
  std::string feature;
  std::string unit;  // of the two values
  double observed = 0;
  double usual = 0;
  double contribution = 0;  // 0 to 1
};

// What one detector said of a window.
struct DetectorWord {
  std::string label;
  double score = 0;
  std::optional<double> mean = {};  // with its neighbors, if these are judged together
  double limit = 0;                 // above which it raises an alarm
  double usual = 0;                 // median score
  std::string share;                // of the claim's pair in the rise of its score, in words
};

// The pair's share in the rise of a detector's score.
struct PairShare {
  double value = 0;      // 0 to 1
  bool at_most = false;  // the pair is not among the largest, whose least this is
};

// Returns the share as the window tells it; nothing if the detector has no evidence there.
std::optional<PairShare> share_in(const attribute::FlaggedWindow& window, std::string_view detector,
                                  const feature::FeatureKey& key);

// Returns "12.50 %", "at most 1.00 %", or "-".
std::string share_text(const std::optional<PairShare>& share);

// Returns "09:31:02.1 to 09:31:05.1 UTC".
std::string span_of(std::int64_t begin_ns, std::int64_t end_ns,
                    const text::Clock& clock = text::Clock());

// Returns the figure in its base unit, to compute with, and as a report has it: "0.417 (41.7 %)".
std::string figure(double value, const std::string& unit);

// Returns the samples, some in a line; NaN is a tick without a new one.
std::string samples_text(const std::vector<double>& samples);

// Returns the step about the feature: its formula, its value, and the same of the samples, if there
// are any and it needs no others.
std::string feature_text(feature::FeatureId feature, double observed, const std::string& unit,
                         const std::vector<double>& samples);

// Returns a table of what the detectors said. `mean_of` windows are judged together.
std::string detectors_text(const std::vector<DetectorWord>& words, std::size_t mean_of);

// Returns "cpu 18.8 % memory 8.9 %", without those that have none.
std::string shares_text(const attribute::SubsystemShares& shares);

// Returns a line on the pair.
std::string pair_text(const ExplainedPair& pair);

}  // namespace reveal::report
