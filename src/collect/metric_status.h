// The metrics of this host, with the reason for each missing one: `reveal metrics` lists them, and
// `reveal doctor` groups them by remedy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collect/collector.h"
#include "collect/poll_class.h"
#include "model/metric.h"
#include "procfs/host_root.h"

namespace reveal::collect {

struct MetricStatus {
  std::string_view collector;  // its name in the registry
  model::MetricDescriptor metric;
  std::vector<std::string> instances;  // of its channels; "" is the host; empty: not available
  std::string reason;                  // why there is no channel; empty where there is one
  std::string remedy;                  // the change that would give it; may be empty
  bool available() const { return !instances.empty(); }
};

// Opens every collector of the registry once and tells what it found, by registry order. The texts
// of a metric live as long as the program: they are the registry's literals. Waits a few seconds at
// most for collectors that may block. Fails if the plan names a collector that does not exist.
base::Result<std::vector<MetricStatus>> survey(const procfs::HostRoot& root,
                                               const PollPlan& plan = {});

}  // namespace reveal::collect
