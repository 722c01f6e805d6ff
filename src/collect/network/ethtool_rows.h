// The statistics of network drivers that are read, by the names that the drivers give them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "model/metric.h"

namespace reveal::collect {

// The same quantity has other names with other drivers; the first that a driver has is taken. "#"
// in a name is a priority from 0 to 7, and then every priority has a channel of its own.
struct DriverStatistic {
  std::array<std::string_view, 3> names;
  model::MetricDescriptor metric;

  bool per_priority() const { return names[0].find('#') != std::string_view::npos; }
};

inline constexpr int kPriorities = 8;

std::span<const DriverStatistic> driver_statistics();

// Where a driver has one value of the table.
struct StatisticPlace {
  std::size_t index;     // among the driver's statistics
  std::size_t row;       // of the table
  std::size_t priority;  // kPriorities: of none
  friend bool operator==(const StatisticPlace&, const StatisticPlace&) = default;
};

// Returns what of the table a driver has, given the names of its statistics, 32 bytes each.
std::vector<StatisticPlace> find_statistics(std::span<const char> names);

}  // namespace reveal::collect
