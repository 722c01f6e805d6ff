#include "detect/window_scorer.h"

#include <algorithm>
#include <utility>

namespace reveal::detect {

WindowScorer::WindowScorer(std::shared_ptr<const FittedBaseline> baseline,
                           const VerdictOptions& options)
    : baseline_(std::move(baseline)), last_(baseline_->detectors.size(), false) {
  for (const auto& detector : baseline_->detectors) {
    limits_.push_back(limits_of(detector.scores, options));
  }
}

base::Result<WindowVerdict> WindowScorer::judge(const feature::FeatureMatrix& matrix,
                                                const model::ChannelTable& channels,
                                                std::size_t row) {
  if (matrix.column_count() != known_columns_) {
    auto matched = match_columns(*baseline_, matrix, channels);
    if (!matched) return base::Unexpected(matched.error());
    layout_ = std::move(matched->design);
    known_columns_ = matrix.column_count();
  }
  const auto x = project(matrix, layout_, {.limit = baseline_->limits(), .first = row, .count = 1});
  WindowVerdict out;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const double score = baseline_->detectors[i].detector->score(x)(0);
    const bool goes_on = last_[i] && score > limits_[i].reach;
    out.scores.push_back(score);
    out.flagged.push_back(limits_[i].alarm(score) || goes_on);
  }
  last_ = out.flagged;
  out.agreement = static_cast<int>(std::count(last_.begin(), last_.end(), true));
  return out;
}

}  // namespace reveal::detect
