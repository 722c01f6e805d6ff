// What the metrics of this host are now.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "collect/poll_class.h"
#include "procfs/host_root.h"

namespace reveal::catalog {

struct MetricValues {
  std::string unit;  // of a counter's rate: "bytes/s"
  // Instance and value, NaN for one that was not read twice or has none.
  std::vector<std::pair<std::string, double>> channels;
};

// By the metric's name.
using CurrentValues = std::map<std::string, MetricValues, std::less<>>;

// Watches the host for 1.2 s and returns the last value of each channel: of a counter its rate
// between its last two readings, so that what is read every ten seconds has none. Fails as a
// recording does that cannot begin.
base::Result<CurrentValues> current_values(const procfs::HostRoot& root,
                                           const collect::PollPlan& poll_plan);

}  // namespace reveal::catalog
