// Whether a run ends inside a finding. Who learned from that what is usual would never find it.
#pragma once

#include <cstddef>

#include "detect/scored_run.h"
#include "detect/threshold.h"

namespace reveal::detect {

// What a finding is: by the votes of the detectors and, if the host tells what waits, only if
// something was stalled.
struct FindingOptions {
  VerdictOptions verdict;
  int min_agreement = 2;
  bool tells_stalls = true;
};

// Returns how many of the last windows are a finding that goes on in the very last, with those
// before it that share samples with its first (VerdictOptions::neighbors). 0 if the run ends in
// none, or if the options make no sense.
std::size_t windows_in_finding_at_end(const ScoredRun& run, const FindingOptions& options);

}  // namespace reveal::detect
