// How many findings chance alone makes in a run like this. It is extrapolated from the calm
// windows: how far out they lie, and how fast they become rarer farther out
// (stats/exponential_tail.h).
//
// The strength of a window is the score, in limits, that the votes needed for a finding reach. If a
// detector sees saturation, strength is at most twice that detector's own score. At 1 a window
// becomes a finding. Windows that overlap are strong together, so groups of them are counted.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "detect/verdict.h"
#include "stats/exponential_tail.h"

namespace reveal::attribute {

// Returns the strength of each window, by row. `saturation` is the detector that every finding
// needs, if there is one.
std::vector<double> strengths(const detect::Verdict& verdict, int asked,
                              std::optional<std::size_t> saturation);

class Chance {
 public:
  // Learns from the windows that are `calm`: in no finding and no change, nor beside one. Returns
  // nothing if there are too few of them. REQUIRES: both have the same size.
  static std::optional<Chance> learn(const std::vector<double>& strengths,
                                     const std::vector<bool>& calm);

  // Returns how many findings of that strength or more chance is expected to make in the run.
  double findings(double strength) const;

 private:
  Chance(stats::ExponentialTail tail, double groups_per_window)
      : tail_(tail), groups_per_window_(groups_per_window) {}

  stats::ExponentialTail tail_;
  double groups_per_window_;  // of the run, to one of the tail's
};

}  // namespace reveal::attribute
