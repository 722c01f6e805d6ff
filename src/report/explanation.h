// How a finding came about, step by step from the samples to the sentence. The reader can compute
// each figure again by hand or get it from another command.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "feature/feature_matrix.h"
#include "report/report.h"

namespace reveal::report {

// The subject of a finding's claim: one feature of one channel, in the window farthest from the
// usual.
struct ClaimedPlace {
  std::size_t row = 0;     // of the matrix, and of the report's windows
  std::size_t column = 0;  // of the matrix
  attribute::Evidence evidence;
};

// Returns the place of that finding, counted from 0. Fails with kUsage if there are fewer findings,
// or if no single metric stands out in it.
base::Result<ClaimedPlace> claimed_place(const report::Report& report,
                                         const feature::FeatureMatrix& matrix, std::size_t finding);

// The input of explanation().
struct ExplanationInput {
  const report::Report& report;
  const feature::FeatureMatrix& matrix;
  std::size_t finding;  // counted from 0
  ClaimedPlace place;
  std::vector<double> samples;  // of its channel by tick of its window; NaN if there is none
  std::string directory;        // of the recording
};

std::string explanation(const ExplanationInput& it);

}  // namespace reveal::report
