// The same as attribution.h for windows that are judged one after the other, as they come.
#pragma once

#include <span>
#include <string>

#include <Eigen/Core>

#include "attribute/finding.h"
#include "detect/window_scorer.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

// What stood out in a window, or in several: added up, they are a finding's.
struct LiveBlame {
  Eigen::VectorXd excess;  // by column of the baseline: see excess_shares, summed over detectors
  model::Subsystem subsystem() const;  // with the largest share
  SubsystemShares subsystems{};
};

// Blames the window that `scorer` judged last on what lifted the scores of the detectors that flag
// it and of the one that sees work stalled or, where none flags it, of the one that is nearest to
// its limit. In a fault's first second saturation signals are seldom an alarm yet, and say best
// what it is. REQUIRES: the same matrix and channels as for judge().
LiveBlame blame(const detect::WindowScorer& scorer, const detect::WindowVerdict& verdict,
                const feature::FeatureMatrix& matrix, const model::ChannelTable& channels);

// Adds a window's blame to that of the finding that it belongs to. REQUIRES: of the same baseline.
void add(LiveBlame& finding, const LiveBlame& window, const detect::WindowScorer& scorer,
         const feature::FeatureMatrix& matrix, const model::ChannelTable& channels);

// Returns the sentence of a finding over those rows, compared with the baseline.
std::string live_claim(const LiveBlame& finding, const detect::WindowScorer& scorer,
                       const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
                       std::span<const std::size_t> rows);

}  // namespace reveal::attribute
