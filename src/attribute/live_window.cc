#include "attribute/live_window.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "attribute/claim.h"
#include "attribute/excess.h"
#include "attribute/parts.h"
#include "attribute/shares.h"

namespace reveal::attribute {
namespace {

SubsystemShares shares_of(const Eigen::VectorXd& excess, const detect::WindowScorer& scorer,
                          const feature::FeatureMatrix& matrix,
                          const model::ChannelTable& channels) {
  return subsystem_shares(channels,
                          by_channel(excess, scorer.layout(), matrix, channels.channel_count()));
}

// Returns the value farthest from the median; NaN where there is none.
double farthest(const feature::FeatureMatrix& matrix, std::size_t column, double median,
                std::span<const std::size_t> rows) {
  double out = std::nan("");
  for (const auto row : rows) {
    const double value = matrix.at(row, column);
    if (!std::isfinite(value)) continue;
    if (!(std::fabs(value - median) <= std::fabs(out - median))) out = value;
  }
  return out;
}

// Returns the detector whose score is the largest, in its limits.
std::size_t nearest_to_its_limit(const detect::WindowVerdict& verdict) {
  std::vector<double> ratios(verdict.scores.size());
  std::transform(verdict.scores.begin(), verdict.scores.end(), verdict.limits.begin(),
                 ratios.begin(), detect::in_limits);
  return static_cast<std::size_t>(std::max_element(ratios.begin(), ratios.end()) - ratios.begin());
}

}  // namespace

model::Subsystem LiveBlame::subsystem() const {
  const auto largest = std::max_element(subsystems.begin(), subsystems.end());
  return static_cast<model::Subsystem>(largest - subsystems.begin());
}

LiveBlame blame(const detect::WindowScorer& scorer, const detect::WindowVerdict& verdict,
                const feature::FeatureMatrix& matrix, const model::ChannelTable& channels) {
  const auto& baseline = scorer.baseline();
  LiveBlame out;
  WindowBlame sum(scorer.layout().x.cols());
  const std::size_t nearest = nearest_to_its_limit(verdict);
  for (std::size_t i = 0; i < baseline.detectors.size(); ++i) {
    const auto& detector = *baseline.detectors[i].detector;
    const bool speaks = verdict.flagged[i] || (verdict.stalled && detector.sees_saturation());
    if (verdict.agreement > 0 ? !speaks : i != nearest) continue;
    Eigen::VectorXd parts = detect::contributions_by_column(detector, scorer.layout(), 0);
    parts -= baseline.usual[i];
    clear_absent(parts, scorer.layout());
    sum.add(excess_shares(std::move(parts), {}), detector.sees_saturation());
  }
  out.excess = sum.total();
  out.subsystems = shares_of(out.excess, scorer, matrix, channels);
  return out;
}

void add(LiveBlame& finding, const LiveBlame& window, const detect::WindowScorer& scorer,
         const feature::FeatureMatrix& matrix, const model::ChannelTable& channels) {
  finding.excess += window.excess;
  finding.subsystems = shares_of(finding.excess, scorer, matrix, channels);
}

std::string live_claim(const LiveBlame& finding, const detect::WindowScorer& scorer,
                       const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
                       std::span<const std::size_t> rows) {
  std::vector<Evidence> candidates;
  for (const Part& part :
       telling_parts(finding.excess, channels, scorer.layout(), matrix, finding.subsystem())) {
    const auto& usual = scorer.baseline().columns[part.live];
    const std::size_t column = scorer.layout().columns[part.live];
    candidates.push_back({matrix.column(column), farthest(matrix, column, usual.median, rows),
                          usual.median, usual.mad, part.share});
  }
  const Evidence* telling = most_telling(candidates);
  return telling != nullptr ? claim(channels, *telling) : std::string(kNoClaim);
}

}  // namespace reveal::attribute
