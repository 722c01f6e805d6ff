// How well a rate is known by a count of events.
#pragma once

#include <cmath>
#include <cstddef>

#include "stats/share_interval.h"

namespace reveal::stats {

// Returns the chance of `count` events or fewer, of a Poisson distribution with that mean.
inline double poisson_at_most(std::size_t count, double mean) {
  double out = 0;
  for (std::size_t k = 0; k <= count; ++k) {
    const auto events = static_cast<double>(k);
    out += std::exp(events * std::log(mean) - mean - std::lgamma(events + 1));
  }
  return out;
}

// Returns the interval of a Poisson mean, of which `count` events were seen, with 2.5 % beyond it
// on either side (Garwood 1936).
inline Interval poisson_interval(std::size_t count) {
  constexpr double kBeyond = 0.025;
  constexpr int kSteps = 60;
  // The chance falls with the mean.
  const auto mean_of = [](std::size_t events, double chance) {
    double low = 0;
    double high = 2 * static_cast<double>(events) + 20;
    for (int i = 0; i < kSteps; ++i) {
      const double middle = (low + high) / 2;
      (poisson_at_most(events, middle) > chance ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  return {count == 0 ? 0 : mean_of(count - 1, 1 - kBeyond), mean_of(count, kBeyond)};
}

}  // namespace reveal::stats
