#include "detect/window_scorer.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace reveal::detect {

double strength(const std::vector<double>& scores, const std::vector<double>& limits,
                const std::vector<int>& votes, int asked) {
  std::vector<double> ratios;  // one a vote
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ratios.insert(ratios.end(), static_cast<std::size_t>(votes[i]),
                  in_limits(scores[i], limits[i]));
  }
  std::sort(ratios.begin(), ratios.end(), std::greater<>());
  const auto needed = static_cast<std::size_t>(std::max(asked, 1));
  return ratios.size() < needed ? 0.0 : ratios[needed - 1];
}

WindowScorer::WindowScorer(std::shared_ptr<const FittedBaseline> baseline, VerdictOptions options)
    : baseline_(std::move(baseline)), last_(baseline_->detectors.size(), false) {
  for (const auto& detector : baseline_->detectors) {
    options.resolution = detector.detector->resolution();
    limits_.push_back(limits_of(detector.scores, options, true));
  }
}

base::Result<WindowVerdict> WindowScorer::judge(const feature::FeatureMatrix& matrix,
                                                const model::ChannelTable& channels,
                                                std::size_t row) {
  if (matrix.column_count() != known_columns_) {
    auto matched = match_columns(*baseline_, matrix, channels);
    if (!matched) return base::pass(matched);
    layout_ = std::move(matched->design);
    known_columns_ = matrix.column_count();
  }
  // As judge(): nothing is known of a fault on the other side of a gap.
  if (row > 0 && matrix.window(row).begin_ns > matrix.window(row - 1).end_ns) silence();
  const Projection asked{.limit = baseline_->limits(), .first = row, .count = 1};
  layout_.x = project(matrix, layout_, asked);
  layout_.saturation.x = project_saturation(matrix, layout_, asked);
  WindowVerdict out;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const auto& detector = *baseline_->detectors[i].detector;
    const double score = detector.score(seen_by(detector, layout_))(0);
    const bool goes_on = last_[i] && score > limits_[i].hysteresis_limit;
    out.scores.push_back(score);
    if (detector.sees_saturation()) {
      out.stalled = says_stalled(score, limits_[i].hysteresis_limit, limits_[i].limit());
    }
    out.limits.push_back(limits_[i].limit());
    out.flagged.push_back(limits_[i].alarm(score) || goes_on);
    out.votes.push_back(votes_of(detector.name()));
    out.agreement += out.flagged.back() ? out.votes.back() : 0;
  }
  last_ = out.flagged;
  return out;
}

}  // namespace reveal::detect
