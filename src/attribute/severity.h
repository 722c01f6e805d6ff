// How much attention a finding deserves, so that the gravest can be listed first.
#pragma once

#include <cstddef>

#include "attribute/scored_windows.h"

namespace reveal::attribute {

// The parts of a severity, each the largest over the finding's windows.
struct SeverityParts {
  double effect = 0;         // score of the detector of saturation signals; 1 if there is none
  double outlier_share = 0;  // share of columns far from the usual, 0-1; 0 if none counts them
  double agreement = 0;      // share of all votes, 0-1
};

// Returns the parts of no window.
SeverityParts severity_of_nothing(const ScoredWindows& windows);

// Adds a window's.
void add_window(const ScoredWindows& windows, std::size_t row, SeverityParts& parts);

// Returns sqrt(effect up to 25) * (0.1 + outlier_share) * agreement * log2(1 + seconds): at least
// 0, without a unit. Each part alone may be small in a fault that matters, so only the votes can
// make the product 0.
double severity(const SeverityParts& parts, double seconds);

}  // namespace reveal::attribute
