// A recording analyzed for a study.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/config.h"
#include "report/report.h"
#include "study/result.h"

namespace reveal::study {

// Fails as replay::replay() and Pipeline::analyze() do, with the directory as the error's place.
base::Result<report::Report> analyzed(const std::string& directory,
                                      const pipeline::PipelineConfig& config,
                                      std::vector<store::Damage>& damage);

Run run_of(const std::string& directory, const report::Report& report);

// A stretch of time.
struct Stretch {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

// Returns stretches in the order of time, those joined that overlap or touch.
std::vector<Stretch> merged(std::vector<Stretch> stretches);

// Return how long they are, together, and how long the time is that two lists have in common.
// REQUIRES: merged.
double seconds(const std::vector<Stretch>& stretches);
double common_seconds(const std::vector<Stretch>& a, const std::vector<Stretch>& b);

}  // namespace reveal::study
