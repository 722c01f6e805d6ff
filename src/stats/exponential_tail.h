// The upper tail of a sample as an exponential, to say how often chance reaches farther than it did
// here.
//
// If high values were taken out because they are something else, those that are left say what they
// come from only if that is known: the scale is the maximum-likelihood one of an exponential
// distribution cut off above (Deemer and Votaw, Annals of Mathematical Statistics 26, 1955): the
// solution of scale - T / (exp(T / scale) - 1) = mean excess, T from the tail's begin to the cut.
#pragma once

#include <optional>
#include <span>

namespace reveal::stats {

struct ExponentialTail {
  double from = 0;   // where the tail begins
  double scale = 0;  // by so much farther, a share of 1/e is left
  double count = 0;  // of the sample, beyond `from`: with what is expected beyond the cut

  // Returns how many of as large a sample are expected beyond `value`. REQUIRES: value >= from.
  double expected_beyond(double value) const;
};

// Returns the tail beyond the quantile `share` of a sample of which all that lay at `cut` and
// beyond was taken away. Nothing if that quantile is no lower than `cut`, if fewer than five values
// lie beyond it, or if these do not become rarer towards the cut, so that nothing says how it goes
// on. REQUIRES: ascending, without NaN; 0 <= share < 1.
std::optional<ExponentialTail> exponential_tail(std::span<const double> sorted, double share,
                                                double cut);

}  // namespace reveal::stats
