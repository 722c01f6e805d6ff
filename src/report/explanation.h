// How a finding came about, step by step from the samples to the sentence. The reader can compute
// each figure again by hand or get it from another command.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attribute/claimed_place.h"
#include "base/result.h"
#include "feature/feature_matrix.h"
#include "report/report.h"

namespace reveal::report {

// Returns the place that the claim of that finding, counted from 0, is about; its row is that of
// the report's windows, too. Fails with kUsage if there are fewer findings, or if no single metric
// stands out in it. REQUIRES: the matrix is of the same run.
base::Result<attribute::ClaimedPlace> claimed_place(const report::Report& report,
                                                    const feature::FeatureMatrix& matrix,
                                                    std::size_t finding);

// The input of explanation().
struct ExplanationInput {
  const report::Report& report;
  const feature::FeatureMatrix& matrix;
  std::size_t finding;  // counted from 0
  attribute::ClaimedPlace place;
  std::vector<double> samples;  // of its channel by tick of its window; NaN if there is none
  std::string directory;        // of the recording
  std::size_t number = 1;  // the finding's for people; in a report of a part of a run another one
  std::size_t count = 1;   // of findings in the run
};

std::string explanation(const ExplanationInput& it);

}  // namespace reveal::report
