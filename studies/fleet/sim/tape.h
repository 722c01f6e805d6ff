// The levels of a real recording, second by second, by the same code as an agent's: what hosts of
// the simulation are made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "wire/dictionary.h"
#include "wire/facts.h"

namespace reveal::sim {

// From and to, ns since the epoch.
using Span = std::pair<std::int64_t, std::int64_t>;

struct Tape {
  std::int64_t begin_ns = 0;  // of the first second
  wire::Dictionary dictionary;
  std::vector<bool> is_share;              // by quantity: it is at most 1
  std::vector<std::vector<float>> levels;  // by second, then by quantity; NaN where there is none
  std::vector<std::uint32_t> healthy;      // seconds in which nothing was wrong with the host
  wire::Facts facts;

  // Returns the number of the second that a time is in; the first or the last one if it is in none.
  std::size_t second_of(std::int64_t time_ns) const;
};

// Reads a recording. Seconds that touch one of `avoid` are not healthy, and neither are the first
// ones, in which rates are not known. Fails if the recording cannot be read, or has no healthy
// second.
base::Result<Tape> read_tape(const std::filesystem::path& recording,
                             const std::vector<Span>& avoid);

}  // namespace reveal::sim
