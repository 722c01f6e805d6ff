// Noise of channels that have nothing to do with one another, each with a second's value like that
// of the second before (AR(1) with .9), and with heavy tails. Its unit is a standard deviation of
// the normal one.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "fleet/testing/made_host.h"

namespace reveal::peers {

enum class Noise : std::uint8_t {
  kNormal,
  kStudent3,   // innovations of Student's t with three degrees of freedom
  kStudent2,   // with two: it has no variance
  kBursts,     // normal, with bursts on top
  kLogNormal,  // the exponential of the normal one: 1 as a rule
};

inline constexpr double kKeptOfASecond = 0.9;
// A channel's bursts: how often they begin, how long they last (as often 1 s as 10 s), and their
// height, which is Pareto's: beyond h with the chance (kLeastBurst / h) ^ kParetoAlpha.
inline constexpr double kBetweenBursts_s = 2400;
inline constexpr std::uint64_t kLongestBurst_s = 10;
inline constexpr double kLeastBurst = 5;
inline constexpr double kParetoAlpha = 1.5;

// Returns a number of Student's t distribution, by Bailey's polar method (1994).
inline double student(base::Rng& rng, double freedom) {
  for (;;) {
    const double u = 2 * rng.uniform() - 1;
    const double v = 2 * rng.uniform() - 1;
    const double w = u * u + v * v;
    if (w > 1 || w == 0) continue;
    return u * std::sqrt(freedom * (std::pow(w, -2 / freedom) - 1) / w);
  }
}

class HeavyNoise {
 public:
  HeavyNoise(Noise kind, std::size_t channels, std::uint64_t seed)
      : kind_(kind), rng_(seed), states_(channels), bursts_(channels) {
    // Before the first second it has long been what it is.
    for (std::size_t s = 0; s < 60; ++s) next();
  }

  // Goes on to the next second.
  void next() {
    const double share = std::sqrt(1 - kKeptOfASecond * kKeptOfASecond);
    for (auto& state : states_) state = kKeptOfASecond * state + share * innovation();
    if (kind_ != Noise::kBursts) return;
    for (auto& burst : bursts_) advance(burst);
  }

  double at(std::size_t channel) const {
    const double state = states_[channel];
    return kind_ == Noise::kLogNormal ? std::exp(state) : state + burst(channel);
  }
  // Returns the height of the burst that goes on; 0 if there is none.
  double burst(std::size_t channel) const { return bursts_[channel].height; }

 private:
  struct Burst {
    double height = 0;
    std::uint64_t left_s = 0;
  };

  double innovation() {
    if (kind_ == Noise::kStudent3) return student(rng_, 3);
    if (kind_ == Noise::kStudent2) return student(rng_, 2);
    return fleet::normal(rng_);
  }
  void advance(Burst& burst) {
    if (burst.left_s > 0 && --burst.left_s > 0) return;
    burst = {};
    if (rng_.uniform() * kBetweenBursts_s >= 1) return;
    burst.left_s = 1 + rng_.below(kLongestBurst_s);
    burst.height = kLeastBurst * std::pow(1 - rng_.uniform(), -1 / kParetoAlpha);
  }

  Noise kind_;
  base::Rng rng_;
  std::vector<double> states_;
  std::vector<Burst> bursts_;
};

}  // namespace reveal::peers
