// What good runs do at the same elapsed time.
//
// Every run of a job begins with its data being read and ends with results being written, and by
// themselves these seconds are as unusual as a fault. But they are so in each good run, at the same
// time since its start. So with a baseline of several runs a window may score as high as good runs
// did at that elapsed time, give or take a window's length.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "detect/fitted_baseline.h"
#include "feature/feature_matrix.h"

namespace reveal::detect {

// Returns, by row, the seconds from the begin of the run's first window to that of the window;
// `first_rows` are those of the runs, ascending, 0 the first.
Eigen::VectorXd elapsed_seconds(const feature::FeatureMatrix& matrix,
                                const std::vector<Eigen::Index>& first_rows);

// Returns, by detector and elapsed time, the highest score that a good run had within a window's
// length of that time; none of a baseline of one run, and 0 if no run went on for so long.
std::vector<Eigen::VectorXd> usual_peaks(const FittedBaseline& baseline,
                                         const Eigen::VectorXd& elapsed_s);

}  // namespace reveal::detect
