// Least-squares fits of one change of level and back: where it begins and ends in a series.
//
// The series is taken as one level with a stretch at another, higher one; the stretch is where the
// sum of squared deviations from the two means is least. For normal noise that is the maximum
// likelihood estimate of an "epidemic change" (Levin and Kline, "The cusum test of homogeneity with
// an application in spontaneous abortion epidemiology", Statistics in Medicine 4, 1985; Yao, "Tests
// for detecting change-points with epidemic alternatives", Biometrika 80, 1993). With one end at an
// end of the series it is the usual estimate of a single change point (Hinkley, Biometrika 57,
// 1970).
//
// Samples that stick out would bend a mean: callers clip them first (clip_outliers).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace reveal::stats {

// A stretch at a higher level than the rest.
struct Pulse {
  std::size_t begin = 0;  // first sample of it
  std::size_t end = 0;    // one past the last
  double inside = 0;      // mean in it, and elsewhere
  double outside = 0;
  double explained = 0;  // share of the series' variance that the two levels explain, 0 to 1
};

// Returns the stretch that fits best, which has `least` samples inside and outside; nothing if none
// is higher than the rest, or the series is shorter than twice `least`. Costs the square of the
// length. REQUIRES: finite values; least >= 1.
std::optional<Pulse> fit_pulse(std::span<const double> values, std::size_t least);

// Returns the same for a stretch that goes on to the end of the series. Costs its length.
std::optional<Pulse> fit_rise(std::span<const double> values, std::size_t least);

// Moves the values below the share `tail` of them, and those above all but that share, to these
// quantiles. REQUIRES: finite values; 0 <= tail < 0.5.
void clip_outliers(std::vector<double>& values, double tail);

}  // namespace reveal::stats
