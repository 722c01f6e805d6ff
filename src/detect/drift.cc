#include "detect/drift.h"

#include <algorithm>
#include <cmath>

#include "detect/threshold.h"

namespace reveal::detect {

void Drift::add(const FittedBaseline& baseline, const std::vector<double>& scores) {
  ranks_.resize(scores.size(), 0.0);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ranks_[i] += mid_rank(scores[i], baseline.detectors[i].scores);
  }
  if (++windows_ < kDriftWindows) return;
  moved_ = moved_ || std::any_of(ranks_.begin(), ranks_.end(), [](double sum) {
             return std::abs(sum / kDriftWindows - 0.5) > kMaxDrift;
           });
  ranks_.clear();
  windows_ = 0;
}

}  // namespace reveal::detect
