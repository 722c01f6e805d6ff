#include "detect/window_scorer.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace reveal::detect {

double strength(const std::vector<double>& scores, const std::vector<double>& limits,
                int detectors) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ratios.push_back(limits[i] > 0 ? scores[i] / limits[i] : 0.0);
  }
  std::sort(ratios.begin(), ratios.end(), std::greater<>());
  const auto asked = static_cast<std::size_t>(std::max(detectors, 1));
  return ratios.size() < asked ? 0.0 : ratios[asked - 1];
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
    if (!matched) return base::Unexpected(matched.error());
    layout_ = std::move(matched->design);
    known_columns_ = matrix.column_count();
  }
  x_ = project(matrix, layout_, {.limit = baseline_->limits(), .first = row, .count = 1});
  WindowVerdict out;
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const double score = baseline_->detectors[i].detector->score(x_)(0);
    const bool goes_on = last_[i] && score > limits_[i].reach;
    out.scores.push_back(score);
    out.limits.push_back(limits_[i].limit());
    out.flagged.push_back(limits_[i].alarm(score) || goes_on);
  }
  last_ = out.flagged;
  out.agreement = static_cast<int>(std::count(last_.begin(), last_.end(), true));
  return out;
}

}  // namespace reveal::detect
