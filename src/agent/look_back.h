// What the files of an agent tell of a stretch of time: its findings, and when it watched.
#pragma once

#include <cstdint>

#include "agent/paths.h"
#include "base/result.h"
#include "digest/digest.h"

namespace reveal::agent {

// The longest stretch: when was watched is kept a little longer.
inline constexpr std::int64_t kLongestLookBack_ns = std::int64_t{31} * 86'400 * 1'000'000'000;

struct LookBack {
  std::int64_t from_ns = 0;  // wall time
  std::int64_t to_ns = 0;
  std::int64_t now_ns = 0;  // nothing is known of what is later
};

// Returns the digest of a stretch, which ends now at the latest. Fails with kUsage if it is empty
// or too long, and if no agent ever worked in the folder or it cannot be read.
base::Result<digest::Digest> look_back(const Paths& paths, LookBack stretch);

}  // namespace reveal::agent
