// How far a value lies from what is usual, as the detectors see it.
#pragma once

#include <Eigen/Core>

#include "detect/design.h"

namespace reveal::detect {

// Deviations from the rest beyond kLinear standard deviations count with their logarithm: against
// an untouched rest a disturbance may lie thousands out in one column, and must neither outweigh
// all others nor look the same as one that lies ten out. A column that was constant in the rest
// would be infinitely far out; no deviation counts more than kFarthest (5500 standard deviations).
inline constexpr double kLinear = 5.0;
inline constexpr double kFarthest = 40.0;

// Returns z with that limit.
double limited(double z);

// Returns (value - mean) / scale, limited where asked for; 0 for a value that is not finite. Where
// `scale` is 0 a value that differs from the mean by more than rounding is infinitely far out.
double standardised(double value, double mean, double scale, bool limit);

// Mean and standard deviation (population formula) of the columns of a design.
struct Usual {
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
};
Usual usual(const Eigen::MatrixXd& x);

// Returns rows of the run's design in standard deviations of the rest instead of the run, limited.
Design restandardised(const Design& run, const Eigen::MatrixXd& x, const Usual& rest);

}  // namespace reveal::detect
