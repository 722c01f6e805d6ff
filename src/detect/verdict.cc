#include "detect/verdict.h"

#include <algorithm>
#include <limits>

namespace reveal::detect {
namespace {

Eigen::VectorXd quantiles_of(const Eigen::VectorXd& scores, const std::vector<double>& sorted) {
  return scores.unaryExpr([&](double score) {
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), score);
    return static_cast<double>(above - sorted.begin()) / static_cast<double>(sorted.size());
  });
}

std::vector<bool> exceeding(const Eigen::VectorXd& scores, double limit) {
  std::vector<bool> out;
  for (const double score : scores) out.push_back(score > limit);
  return out;
}

// What scores as high as anything known passes the percentile, also where ties put the percentile
// at it: whether it is an alarm is for the fence to say.
std::vector<bool> alarming(const DetectorVerdict& verdict, double highest) {
  std::vector<bool> out;
  for (const double score : verdict.scores) {
    const bool ranks_high = score > verdict.threshold || score >= highest;
    out.push_back(ranks_high && score > verdict.fence);
  }
  return out;
}

// Flags what is connected to an alarming row through rows within reach: once forwards, once back.
std::vector<bool> spread(std::vector<bool> flagged, const std::vector<bool>& in_reach) {
  for (std::size_t row = 1; row < flagged.size(); ++row) {
    if (flagged[row - 1] && in_reach[row]) flagged[row] = true;
  }
  for (std::size_t row = flagged.size() - 1; row > 0; --row) {
    if (flagged[row] && in_reach[row - 1]) flagged[row - 1] = true;
  }
  return flagged;
}

std::vector<int> count_agreement(const std::vector<DetectorVerdict>& detectors, Eigen::Index rows) {
  std::vector<int> out(static_cast<std::size_t>(rows), 0);
  for (const auto& detector : detectors) {
    for (std::size_t row = 0; row < out.size(); ++row) out[row] += detector.flagged[row] ? 1 : 0;
  }
  return out;
}

}  // namespace

DetectorVerdict judge_scores(std::string_view name, const Eigen::VectorXd& scores,
                             const std::vector<double>& sorted, const VerdictOptions& options) {
  const auto windows = static_cast<Eigen::Index>(sorted.size());
  DetectorVerdict out;
  out.name = name;
  out.scores = scores;
  out.quantiles = quantiles_of(scores, sorted);
  out.threshold = percentile_threshold(sorted, options.share_above(windows));
  if (!options.has_fence()) {
    out.fence = std::numeric_limits<double>::quiet_NaN();
    out.reach = out.fence;
    out.flagged = exceeding(scores, out.threshold);
    return out;
  }
  const UsualRange usual = usual_range(sorted);
  const double multiplier = options.fence.value_or(fence_multiplier(windows));
  out.fence = usual.fence(multiplier);
  out.reach = usual.fence(multiplier / 2);
  out.flagged = spread(alarming(out, sorted.back()), exceeding(scores, out.reach));
  return out;
}

void silence(Verdict& verdict, const std::vector<bool>& silent) {
  for (std::size_t row = 0; row < silent.size(); ++row) {
    if (!silent[row]) continue;
    verdict.agreement[row] = 0;
    for (auto& detector : verdict.detectors) detector.flagged[row] = false;
  }
}

base::Result<Verdict> judge(const ScoredRun& run, const VerdictOptions& options) {
  if (auto sound = options.check(); !sound) return base::Unexpected(sound.error());
  Verdict out;
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    out.detectors.push_back(judge_scores(run.name(i), run.scores(i), run.reference(i), options));
  }
  out.agreement = count_agreement(out.detectors, run.window_count());
  return out;
}

}  // namespace reveal::detect
