// How well a share is known: of successes among trials, also if the trials depend on one another.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::stats {

struct Interval {
  double low = 0;
  double high = 1;
};

// Returns the interval of Clopper and Pearson (1934) for the probability behind a share: by the
// quantiles of the beta distribution, so that it holds the true one at least with this confidence,
// also for shares of 0 and 1. Neither number need be whole. 0 to 1 if there are no trials.
// REQUIRES: 0 <= successes <= trials, 0 < confidence < 1.
Interval binomial_interval(double successes, double trials, double confidence);

struct Share {
  double share = 0;   // NaN for no flags
  double trials = 0;  // independent ones that would tell as much
  Interval interval;
};

// Returns the share of flags (0 or 1, in order of time) that are 1. They depend on one another
// within stretches of `batch`, so the interval is that of Korn and Graubard (1998): Clopper and
// Pearson's for the number of independent trials that have the same variance,
//
//   share (1 - share) / error^2 * (t(n - 1) / t(freedom))^2
//
// with error and freedom of mean_error() and t as Student's at this confidence. There are never
// more than one for `overlap` flags, and that many if the variance is not known: all flags are the
// same, or there are fewer than two batches.
// REQUIRES: batch, overlap > 0, 0 < confidence < 1.
Share share_of(std::span<const double> flags, std::size_t batch, double overlap, double confidence);

// Returns the interval of the second share less the first by the intervals of each (Newcombe 1998,
// method 10; in general MOVER, Zou and Donner 2008). NaN if either share is.
Interval difference(const Share& first, const Share& second);

}  // namespace reveal::stats
