// How a finding came about, step by step from the samples to the sentence: figures that the reader
// can work out again by hand, or get from another command.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "feature/feature_matrix.h"
#include "report/report.h"

namespace reveal::report {

// What a finding's claim speaks of: one feature of one channel in the window that says it most.
struct ClaimedPlace {
  std::size_t row = 0;     // of the matrix, and of the report's windows
  std::size_t column = 0;  // of the matrix
  attribute::Evidence evidence;
};

// Returns the place of that finding, counted from 0. Fails with kUsage where there are fewer
// findings, or where no single metric stands out in it.
base::Result<ClaimedPlace> claimed_place(const report::Report& report,
                                         const feature::FeatureMatrix& matrix, std::size_t finding);

// What explanation() tells about.
struct ExplanationInput {
  const report::Report& report;
  const feature::FeatureMatrix& matrix;
  std::size_t finding;  // counted from 0
  ClaimedPlace place;
  std::vector<double> samples;  // of its channel by tick of its window; NaN where there is none
  std::string directory;        // of the recording
};

std::string explanation(const ExplanationInput& it);

}  // namespace reveal::report
