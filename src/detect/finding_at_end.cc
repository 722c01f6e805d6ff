#include "detect/finding_at_end.h"

#include <algorithm>

#include "detect/verdict.h"

namespace reveal::detect {
namespace {

// Returns whether work was stalled in one of the windows from `first` on, or nobody can tell.
bool is_stalled_from(std::size_t first, const ScoredRun& run, const Verdict& verdict) {
  bool is_seen = false;
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    if (!run.sees_saturation(i)) continue;
    is_seen = true;
    const auto& one = verdict.detectors[i];
    for (auto row = static_cast<Eigen::Index>(first); row < run.window_count(); ++row) {
      if (says_stalled(one.scores(row), one.hysteresis_limit, one.limits(row))) return true;
    }
  }
  return !is_seen;
}

}  // namespace

std::size_t windows_in_finding_at_end(const ScoredRun& run, const FindingOptions& options) {
  const auto verdict = judge(run, options.verdict);
  if (!verdict) return 0;
  const auto windows = verdict->agreement.size();
  std::size_t first = windows;
  while (first > 0 && verdict->agreement[first - 1] >= options.min_agreement) --first;
  if (first == windows) return 0;
  if (options.tells_stalls && !is_stalled_from(first, run, *verdict)) return 0;
  const auto before = static_cast<std::size_t>(options.verdict.neighbors);
  return windows - (first - std::min(first, before));
}

}  // namespace reveal::detect
