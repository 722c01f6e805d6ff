// Rows of the collectors' metric tables: a descriptor, and where a parser's result holds its value.
#pragma once

#include <vector>

#include "model/metric.h"

namespace reveal::collect {

template <typename Key>
struct MetricRow {
  Key key;
  model::MetricDescriptor metric;
};

// Returns the descriptors alone, in the order of the rows.
template <typename Rows>
std::vector<model::MetricDescriptor> metrics_of(const Rows& rows) {
  std::vector<model::MetricDescriptor> out;
  for (const auto& row : rows) out.push_back(row.metric);
  return out;
}

}  // namespace reveal::collect
