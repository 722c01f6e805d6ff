// How record.max_size is shared among all that is below the agent's directory.
//
// Each share is held by the process that fills it, and by nobody else. So all of the directory
// stays within the size without a word between processes, also while one of them is killed. What no
// share has is for what is there twice while it is written: a block that is in the journal as well,
// frames that a new recorder takes over, files that replace others.
#pragma once

#include <cstdint>

namespace reveal::agent {

// Below that the shares are too small to be of use.
inline constexpr std::uint64_t kLeastSize = std::uint64_t{64} << 20;

// In bytes; 0: any number.
struct SizeShares {
  std::uint64_t frames = 0;   // at full rate: the recorder's
  std::uint64_t rollups = 0;  // of old frames: reveal downsample's
  std::uint64_t kept = 0;     // findings, pins, reports and state: the judge's (kept_space.h)
};

// `most`: all of it; 0: any number.
constexpr SizeShares shares_of(std::uint64_t most) {
  const std::uint64_t eighth = most / 8;
  return {.frames = 5 * eighth, .rollups = eighth, .kept = eighth};
}

// Returns how much of what is kept the workloads of a host may take (detect/workload_store.h).
constexpr std::uint64_t share_of_workloads(std::uint64_t kept) {
  constexpr std::uint64_t kMost = std::uint64_t{16} << 20;
  return kept == 0 || kept / 8 > kMost ? kMost : kept / 8;
}

}  // namespace reveal::agent
