// How many findings chance alone makes in a run like this: by how far out its windows lie in which
// nothing was found, and how fast they become rarer farther out (stats/exponential_tail.h).
//
// A window is as strong as the votes are that a finding asks for, and no stronger than twice what
// stalls it, where somebody sees that: at 1 it becomes a finding. Windows that overlap are strong
// together, so groups of them are counted.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "detect/verdict.h"
#include "stats/exponential_tail.h"

namespace reveal::attribute {

// Returns how strong each window is, by row. `saturation` is the detector without which nothing is
// a finding, if there is one.
std::vector<double> strengths(const detect::Verdict& verdict, int asked,
                              std::optional<std::size_t> saturation);

class Chance {
 public:
  // Learns from the windows that are `calm`: in no finding and no change, nor beside one. Nothing
  // where these say too little. REQUIRES: as many of both.
  static std::optional<Chance> learn(const std::vector<double>& strengths,
                                     const std::vector<bool>& calm);

  // Returns how many findings as strong as that and stronger chance is expected to make in the run.
  double findings(double strength) const;

 private:
  Chance(stats::ExponentialTail tail, double groups_per_window)
      : tail_(tail), groups_per_window_(groups_per_window) {}

  stats::ExponentialTail tail_;
  double groups_per_window_;  // of the run, to one of the tail's
};

}  // namespace reveal::attribute
