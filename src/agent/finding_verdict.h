// What the judge knew of a finding when it spoke of it: the window that its claim is about, what
// was usual, and what each detector said. It is kept beside the finding (verdict.json), so that
// `reveal explain` says the same after the rest of the recording is gone and the judge has learned
// other things.
//
// The file has a few kilobytes: one window, each detector once, and the largest parts of the blame.
// It holds figures and not the fitted detectors, which are megabytes, and which another version of
// Reveal may not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "attribute/finding.h"
#include "base/result.h"
#include "live/history.h"
#include "report/explanation_steps.h"

namespace reveal::agent {

struct FindingVerdict {
  struct Detector {
    std::string name;
    std::string label;
    int votes = 1;
    bool flagged = false;
    double score = 0;
    double limit = 0;        // the score above which it raises an alarm
    double usual_score = 0;  // median over the baseline
    std::optional<report::PairShare> share;
  };

  // The window in which the claim's feature lies farthest from the usual.
  std::uint64_t window = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t first_sequence = 0;
  std::size_t ticks = 0;
  std::size_t stride_ticks = 0;
  report::ExplainedPair claim;
  std::string channel_unit;  // of the samples
  double mad = 0;            // of the claim's feature, over the baseline; unscaled
  // The baseline.
  std::int64_t baseline_begin_ns = 0;
  std::int64_t baseline_end_ns = 0;
  std::uint64_t baseline_windows = 0;
  bool is_saved_baseline = false;
  bool is_earlier_run = false;  // that one is of this host, and was found by itself
  int min_agreement = 0;
  std::vector<Detector> detectors;
  // The finding's.
  std::size_t windows = 0;
  attribute::SubsystemShares shares{};
  std::vector<report::ExplainedPair> largest;  // parts of the blame
};

// Returns the verdict on one of the history's findings; nothing if no single metric stands out in
// it, or if its window is no longer at hand. REQUIRES: history.features and history.channels.
std::optional<FindingVerdict> verdict_of(const live::History& history,
                                         const attribute::Finding& finding);

// Returns it as an indented JSON object with its checksum and a final newline
// (docs/how_to/agent.md).
std::string to_json(const FindingVerdict& verdict);

// Reads the file. Fails as base::read_whole_file() does, and with kCorrupt if its checksum is wrong
// (checked_json.h) or it is not such a file.
base::Result<FindingVerdict> load_verdict(const std::filesystem::path& file);

}  // namespace reveal::agent
