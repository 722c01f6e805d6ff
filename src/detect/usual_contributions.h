// A column's usual contribution to a detector's scores: every column contributes to every window's
// score, quiet columns too.
#pragma once

#include <cstddef>
#include <span>

#include <Eigen/Core>

#include "detect/scored_run.h"

namespace reveal::detect {

// More rows than this do not move a median that matters.
inline constexpr std::size_t kMaxUsualRows = 200;

// Returns each column's median contribution over those rows (at most kMaxUsualRows).
// Empty without any row.
Eigen::VectorXd usual_contributions(const ScoredRun& run, std::size_t detector,
                                    std::span<const std::size_t> rows);

}  // namespace reveal::detect
