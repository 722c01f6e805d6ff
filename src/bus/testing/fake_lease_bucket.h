// A bucket of leases in memory, which several may share, with a clock that is set by the test.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "bus/lease_bucket.h"

namespace reveal::bus {

// What several FakeLeaseBuckets look at.
struct FakeLeases {
  struct Kept {
    LeaseEntry entry;
    std::int64_t written_ns = 0;
  };
  std::map<std::string, Kept> kept;
  std::uint64_t revision = 0;
  std::int64_t now_ns = 0;
  std::int64_t made_ns = 1;
};

class FakeLeaseBucket : public LeaseBucket {
 public:
  explicit FakeLeaseBucket(FakeLeases& leases) : leases_(leases) {}

  // Whether it is cut off, and whether writes arrive although there is no answer.
  bool is_away = false;
  bool is_mute = false;

  base::Result<std::optional<LeaseEntry>> look(const std::string& key) override {
    if (is_away || is_mute) return no_answer();
    expire(key);
    const auto found = leases_.kept.find(key);
    if (found == leases_.kept.end()) return std::optional<LeaseEntry>();
    return std::optional<LeaseEntry>(found->second.entry);
  }
  base::Result<std::uint64_t> write(const std::string& key, const std::string& value,
                                    std::uint64_t last) override {
    if (is_away) return no_answer();
    expire(key);
    const auto found = leases_.kept.find(key);
    const auto is = found == leases_.kept.end() ? 0 : found->second.entry.revision;
    if (is != last) return base::fail(base::ErrorKind::kIo, "wrong last sequence");
    leases_.kept[key] = {{value, ++leases_.revision}, leases_.now_ns};
    if (is_mute) return no_answer();
    return leases_.revision;
  }
  base::Result<std::int64_t> made_ns() override {
    if (is_away || is_mute) return no_answer();
    return leases_.made_ns;
  }

 private:
  static base::Unexpected no_answer() {
    return base::fail(base::ErrorKind::kIo, "the broker is away");
  }
  void expire(const std::string& key) {
    const auto found = leases_.kept.find(key);
    if (found != leases_.kept.end() && leases_.now_ns - found->second.written_ns > kLife_ns) {
      leases_.kept.erase(found);
    }
  }

  FakeLeases& leases_;
};

}  // namespace reveal::bus
