// Which quantities of hosts are compared with one another.
//
// Of a metric, the channels that all hosts have which have the metric at all are compared one by
// one. The others, whose names differ from host to host (devices, control groups), stand together
// as one: their sum or mean. So hosts with unlike channels still compare.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fleet/host_levels.h"

namespace reveal::fleet {

// One quantity of all hosts.
struct ComparedQuantity {
  Quantity quantity;
  std::vector<std::span<const float>> levels;  // by host, then by bucket; empty: has none
  double buckets_a_reading = 1;                // of the host that reads it least often
};

// A metric that some hosts lack.
struct PartialMetric {
  std::string metric;
  std::vector<bool> has;  // by host
};

struct MatchResult {
  std::vector<PartialMetric> lacking;
  std::size_t compared = 0;
};

// Calls `visit` with each quantity that at least `least` hosts have; what it is given ends with the
// call.
MatchResult for_each_compared(std::span<const HostLevels> hosts, std::size_t least,
                              const std::function<void(const ComparedQuantity&)>& visit);

}  // namespace reveal::fleet
