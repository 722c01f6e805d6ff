// What a workload leaves in place on a host while it goes on: mapped and committed memory, page
// tables, sockets, threads, memory of GPUs. Regimes are told by it (regimes.h), and workloads that
// come back are recognized by it (workload_store.h). A fault changes the activity instead.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "detect/fitted_baseline.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::detect {

inline constexpr std::array<std::string_view, 6> kFootprintMetrics{
    "memory_page_tables_bytes", "memory_mapped_bytes", "memory_committed_bytes",
    "network_used_sockets",     "cpu_threads_tasks",   "gpu_memory_used_bytes"};

// Levels by kFootprintMetrics, each the sum over the metric's channels: a job may get another GPU
// than the last time. NaN: not known.
using Footprint = std::array<double, kFootprintMetrics.size()>;

inline constexpr Footprint kNoFootprint{
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

// Returns the place of a metric in kFootprintMetrics, if it is one of them.
std::optional<std::size_t> footprint_place(std::string_view metric);

// Returns whether a level lies a quarter or more above or below another.
bool is_a_quarter_apart(double value, double usual);

// Returns how many levels that both know lie apart: by a quarter, and by more than what programs of
// no weight make: some threads, sockets and megabytes.
std::size_t levels_apart(const Footprint& one, const Footprint& other);

// Returns whether two footprints are of the same workload: at least two levels are known in both,
// and none lies apart.
bool are_alike(const Footprint& one, const Footprint& other);

// Returns how far the farthest level that both know lies from the other, as the logarithm of their
// ratio; 0 if none is known.
double distance(const Footprint& one, const Footprint& other);

// Returns the medians that a baseline keeps.
Footprint footprint_of(const FittedBaseline& baseline);

// Returns the median of each level over those that know it.
Footprint median_of(const std::vector<Footprint>& all);

// Reads the footprint of windows of one run.
class FootprintReader {
 public:
  // REQUIRES: the same matrix and channels each time; columns may have become more.
  Footprint read(const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
                 std::size_t row);

 private:
  std::vector<std::pair<std::size_t, std::size_t>> columns_;  // of the matrix, and places
  std::size_t known_columns_ = 0;
};

}  // namespace reveal::detect
