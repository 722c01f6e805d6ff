// The catalog of metrics as one host sees it: those that are collected, and those derived from
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/poll_class.h"
#include "model/metric.h"
#include "procfs/host_root.h"

namespace reveal::catalog {

struct Row {
  std::string_view collector;  // "derived" for derived metrics
  model::MetricDescriptor metric;
  std::vector<std::string> instances;  // empty: not available
  std::string reason;                  // why not
  std::string remedy;                  // the change that would give it; may be empty
  bool available() const { return !instances.empty(); }
};

// Returns all rows, collected ones first. What cannot be read is a reason; only a configuration
// that cannot be used is an error.
base::Result<std::vector<Row>> rows_of(const procfs::HostRoot& root,
                                       const collect::PollPlan& poll_plan);

// One change that would make metrics available, or "" for those that no known change would.
struct Remedy {
  std::string change;
  std::vector<std::string> reasons;  // distinct, in order of appearance
  std::vector<const Row*> rows;
};

// Groups what is missing by remedy: most metrics first, those without one last.
std::vector<Remedy> remedies(const std::vector<Row>& rows);

}  // namespace reveal::catalog
