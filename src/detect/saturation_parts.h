// What the saturation detector's parts of a score say of single columns.
#pragma once

#include <Eigen/Core>

namespace reveal::detect {

// Returns the score that each column would have alone, given the parts of a window's score by the
// saturation detector (Detector::contributions()) and that score. Beyond 20 parts do not tell
// columns apart: each whose part is the largest has the score itself. All 0 if the parts are.
Eigen::VectorXd own_scores(const Eigen::VectorXd& parts, double score);

}  // namespace reveal::detect
