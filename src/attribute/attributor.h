// The one that says what a finding is: asks the detectors which columns lifted their scores,
// compares these columns with what is usual, and says the result in a sentence. A finding is made
// window by window, so a run that is over and a host that goes on share all of it.
//
// What an attributor is given must outlive it; windows may be added to the matrix meanwhile.
#pragma once

#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "attribute/finding.h"
#include "attribute/patterns.h"
#include "attribute/scored_windows.h"
#include "attribute/severity.h"
#include "attribute/usual.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

struct EvidenceLimits {
  std::size_t of_window = 5;  // pairs kept for each detector of each window
  std::size_t of_finding = 60;
  // Later windows of a finding are listed without evidence of their own.
  std::size_t windows = std::numeric_limits<std::size_t>::max();
};

// What lifted the scores of a window.
struct Blame {
  // By detector that testifies: the shares of its score, by live column.
  std::vector<std::pair<std::size_t, Eigen::VectorXd>> by_detector;
  Eigen::VectorXd total;
};

// What is known of a finding's windows so far.
struct Tally {
  std::vector<std::size_t> rows = {};
  Eigen::VectorXd total = {};           // of their blame
  std::set<std::size_t> flagging = {};  // detectors
  SeverityParts severity = {};
};

class Attributor {
 public:
  Attributor(const ScoredWindows& windows, const feature::FeatureMatrix& matrix,
             const model::ChannelTable& channels, Usual usual, const EvidenceLimits& limits)
      : windows_(windows),
        matrix_(matrix),
        channels_(channels),
        usual_(std::move(usual)),
        limits_(limits) {}

  // Returns the tally of no window.
  Tally begin() const;
  // Returns what the detectors that testify say of a window.
  Blame blame(std::size_t row) const;
  // Adds a window to a finding.
  void add(std::size_t row, const Blame& blame, Tally& tally, Finding& finding) const;
  // Fills in all that is said of a finding's windows together, but what only a whole run tells: how
  // often chance makes such a finding, and whether it began with the run.
  void tell(const Tally& tally, const PatternReader& patterns, Finding& finding) const;

  SubsystemShares subsystems(const Eigen::VectorXd& shares) const;
  // Returns, by ChannelId, the channel's share in what all detectors say of a window
  // (attribution.h).
  std::vector<double> channel_shares(std::size_t row) const;

 private:
  Eigen::VectorXd excess(std::size_t detector, std::size_t row) const;
  std::vector<Evidence> evidence(const Eigen::VectorXd& shares, std::size_t count,
                                 const std::vector<std::size_t>& rows) const;
  Evidence compare(std::size_t live, double share, const std::vector<std::size_t>& rows) const;
  std::vector<double> by_channel(const Eigen::VectorXd& shares) const;
  void speak(const Eigen::VectorXd& shares, const std::vector<std::size_t>& rows,
             Finding& finding) const;

  const ScoredWindows& windows_;
  const feature::FeatureMatrix& matrix_;
  const model::ChannelTable& channels_;
  Usual usual_;
  EvidenceLimits limits_;
};

}  // namespace reveal::attribute
