#include "attribute/chance.h"

#include <algorithm>

#include "detect/threshold.h"
#include "detect/window_scorer.h"

namespace reveal::attribute {
namespace {

// The tail is the strongest fifth of the calm windows.
constexpr double kTailBegins = 0.8;
// The strength of an alarm: windows above it are not calm.
constexpr double kAlarm = 1.0;

double stalled(const detect::DetectorVerdict& verdict, Eigen::Index row) {
  const double least = detect::least_of_interest(verdict.hysteresis_limit, verdict.limits(row));
  return least > 0 ? verdict.scores(row) / least : 0.0;
}

// Returns how many groups of adjacent windows lie beyond `from`, to one such window.
double groups_per_window(const std::vector<double>& strengths, const std::vector<bool>& calm,
                         double from) {
  double windows = 0;
  double groups = 0;
  bool before = false;
  for (std::size_t row = 0; row < strengths.size(); ++row) {
    const bool beyond = calm[row] && strengths[row] > from;
    if (beyond) ++windows;
    if (beyond && !before) ++groups;
    before = beyond;
  }
  return windows > 0 ? groups / windows : 1;
}

}  // namespace

std::vector<double> strengths(const detect::Verdict& verdict, int asked,
                              std::optional<std::size_t> saturation) {
  std::vector<int> votes;
  for (const auto& detector : verdict.detectors) votes.push_back(detector.votes);
  std::vector<double> out;
  for (std::size_t row = 0; row < verdict.agreement.size(); ++row) {
    const auto at = static_cast<Eigen::Index>(row);
    std::vector<double> judged;
    std::vector<double> limits;
    for (const auto& detector : verdict.detectors) {
      judged.push_back(detector.judged(at));
      limits.push_back(detector.limits(at));
    }
    double strength = detect::strength(judged, limits, votes, asked);
    if (saturation) strength = std::min(strength, stalled(verdict.detectors[*saturation], at));
    out.push_back(strength);
  }
  return out;
}

std::optional<Chance> Chance::learn(const std::vector<double>& strengths,
                                    const std::vector<bool>& calm) {
  std::vector<double> known;
  for (std::size_t row = 0; row < strengths.size(); ++row) {
    if (calm[row]) known.push_back(strengths[row]);
  }
  std::sort(known.begin(), known.end());
  const auto tail = stats::exponential_tail(known, kTailBegins, kAlarm);
  if (!tail) return std::nullopt;
  const double of_all = static_cast<double>(strengths.size()) / static_cast<double>(known.size());
  return Chance(*tail, of_all * groups_per_window(strengths, calm, tail->from));
}

double Chance::findings(double strength) const {
  return tail_.expected_beyond(std::max(strength, kAlarm)) * groups_per_window_;
}

}  // namespace reveal::attribute
