#include "attribute/scored_windows.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace reveal::attribute {
namespace {

// Returns the detector whose score is the largest, in its limits.
std::size_t nearest_to_its_limit(const detect::WindowVerdict& verdict) {
  std::vector<double> ratios(verdict.scores.size());
  std::transform(verdict.scores.begin(), verdict.scores.end(), verdict.limits.begin(),
                 ratios.begin(), detect::in_limits);
  return static_cast<std::size_t>(std::max_element(ratios.begin(), ratios.end()) - ratios.begin());
}

}  // namespace

void LatestWindow::take(detect::WindowVerdict verdict) {
  verdict_ = std::move(verdict);
  nearest_ = nearest_to_its_limit(verdict_);
}

bool LatestWindow::testifies(std::size_t detector, std::size_t row) const {
  if (verdict_.agreement == 0) return detector == nearest_;
  return flags(detector, row) || (verdict_.stalled && sees_saturation(detector));
}

}  // namespace reveal::attribute
