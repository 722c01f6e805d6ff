// A seedable generator whose every output is fixed by this file: std::*_distribution differs
// between standard libraries, and the same seed must give the same report everywhere. Algorithm:
// xoshiro256** 1.0 of Blackman and Vigna, seeded by splitmix64.
#pragma once

#include <array>
#include <cstdint>

namespace reveal::base {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t next();

  // Returns a number in [0, 1) with 53 random bits.
  double uniform();

  // Returns an unbiased integer in [0, bound). REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace reveal::base
