// Leases in a broker: of each key one entry, which goes away by itself unless it is written again.
// Each write has a revision, which is larger than all before it; who writes names the revision that
// the entry must have, so of two who want it one gets it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace reveal::bus {

struct LeaseEntry {
  std::string value;
  std::uint64_t revision = 0;
};

// Not thread-safe. Each call waits for the broker, for at most its options' timeout and that of a
// connection; all fail with kIo if there is no answer. Then a write may have been done or not.
class LeaseBucket {
 public:
  // How long an entry lives.
  static constexpr std::int64_t kLife_ns = 5'000'000'000;

  LeaseBucket() = default;
  LeaseBucket(const LeaseBucket&) = delete;
  LeaseBucket& operator=(const LeaseBucket&) = delete;
  virtual ~LeaseBucket() = default;

  // Returns nothing if there is no entry.
  virtual base::Result<std::optional<LeaseEntry>> look(const std::string& key) = 0;

  // Writes an entry whose revision is `last`; 0: that is not there. Returns the new revision. Fails
  // also if another one was faster.
  virtual base::Result<std::uint64_t> write(const std::string& key, const std::string& value,
                                            std::uint64_t last) = 0;

  // Returns when the bucket was made, in ns since the epoch, by the broker's clock. One that is
  // made anew counts its revisions from 1.
  virtual base::Result<std::int64_t> made_ns() = 0;
};

}  // namespace reveal::bus
