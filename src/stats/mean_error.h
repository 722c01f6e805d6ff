// How well a mean is known if each number is like those before it: a second is no independent draw
// of what a machine does, so the usual deviation over root n promises far too much.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace reveal::stats {

struct MeanError {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  // standard deviation of the mean
  double freedom = 0;  // degrees of freedom of the error, for Student's t; 0: it is not known
};

// Returns the mean and its error by overlapping batch means (Meketon and Schmeiser 1984; the
// variance of Künsch's moving-block bootstrap, without its random draws): from how far the means of
// all stretches of `batch` numbers lie from the mean of all,
//
//   error^2 = batch / ((n - batch + 1) (n - batch)) sum of (mean of stretch - mean)^2
//
// with 3/2 (n / batch - 1) degrees of freedom. Numbers may depend on one another within a batch,
// hardly beyond. The error is not known if there are fewer than two batches.
// REQUIRES: all finite, batch > 0.
MeanError mean_error(std::span<const double> values, std::size_t batch);

// Returns the error of a difference of two independent means, with its degrees of freedom (Welch
// 1947, Satterthwaite 1946); `mean` is the second less the first.
MeanError difference(const MeanError& first, const MeanError& second);

// Returns half the width of the interval about the mean that holds the true one with this
// confidence, by Student's t; NaN if the error is not known. REQUIRES: 0 < confidence < 1.
double half_width(const MeanError& of, double confidence);

}  // namespace reveal::stats
