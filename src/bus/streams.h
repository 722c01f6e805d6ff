// The streams of a fleet in NATS JetStream, which an operator or an analyser makes once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "bus/options.h"

namespace reveal::bus {

// A row: what the broker keeps, and for how long.
struct StreamDescriptor {
  std::string_view name;  // without the epoch
  std::span<const std::string_view> subjects;
  std::int64_t max_age_s;
  std::int64_t max_bytes;        // -1: no limit
  std::int64_t max_per_subject;  // -1: no limit
  std::int64_t duplicates_s;     // for how long a key is remembered
};

// Returns the streams of levels, of late levels, of events, and of facts with dictionaries.
std::span<const StreamDescriptor> stream_descriptors();

// Returns the name of a stream in the broker. A stream that was removed is never made again under
// its name, but under that of the next epoch: brokers have mixed up the two.
std::string stream_name(std::string_view name, unsigned epoch);

// Makes those that are not there, and changes those that are other than their rows. `replicas` is 1
// for one broker, 3 for three or more. Makes the bucket of leases, too, if it is not there; one
// that is there stays as it is.
base::Result<void> make_streams(const BrokerOptions& broker, unsigned epoch, unsigned replicas);

}  // namespace reveal::bus
