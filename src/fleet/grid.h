// The common time of a comparison: hosts read at whole multiples of their interval in UTC, so that
// the same bucket of two hosts holds the same second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace reveal::fleet {

// As the windows of an analysis: three seconds, every second, if the interval allows it.
inline constexpr std::int64_t kBucket_ns = 1'000'000'000;
inline constexpr std::size_t kBucketsInWindow = 3;
// A longer time gets longer buckets, so that memory does not grow with it.
inline constexpr std::size_t kMaxBuckets = 3600;
inline constexpr std::size_t kFewestWindows = 10;

struct Grid {
  std::int64_t begin_ns = 0;  // wall time since the epoch, a whole multiple of bucket_ns
  std::int64_t bucket_ns = kBucket_ns;
  std::size_t buckets = 0;

  std::int64_t end_ns() const { return at(buckets); }
  std::int64_t at(std::size_t bucket) const {
    return begin_ns + static_cast<std::int64_t>(bucket) * bucket_ns;
  }
  // Returns the bucket of a time; negative before the grid.
  std::int64_t bucket_of(std::int64_t wall_ns) const {
    const std::int64_t offset = wall_ns - begin_ns;
    return offset >= 0 ? offset / bucket_ns : (offset + 1) / bucket_ns - 1;
  }
  std::size_t windows() const {
    return buckets < kBucketsInWindow ? 0 : buckets - kBucketsInWindow + 1;
  }
};

// When a host was recorded, and how often.
struct Recorded {
  std::string name;
  std::int64_t begin_ns = 0;  // of the first frame
  std::int64_t end_ns = 0;    // of the last frame
  std::int64_t interval_ns = 0;
};

// Returns how many hosts must be there for a time to be compared: both of two; of more at least
// three, and more than half.
std::size_t quorum(std::size_t hosts);

// Returns the whole buckets between two moments, as long as they must be for there to be at most
// kMaxBuckets, in whole multiples of `bucket_ns`.
Grid grid_between(std::int64_t begin_ns, std::int64_t end_ns, std::int64_t bucket_ns);

// Returns the time in which a quorum of the hosts was recorded. Fails with kUsage if there are
// fewer than two hosts, if there is no such time or a host has no part in it, and with kTooLittle
// if a host's part is shorter than kFewestWindows.
base::Result<Grid> common_grid(std::span<const Recorded> hosts);

}  // namespace reveal::fleet
