// The level of each channel in each run of several workloads: what metrics are chosen by.
//
// A run is one observation, its mean, and counts as much as any other, however long it is: samples
// of one run are not independent observations, because each resembles the one before.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/metric.h"
#include "study/study.h"
#include "study/workloads.h"

namespace reveal::study {

// The samples of a channel in a run.
struct RunLevel {
  double mean = 0;
  double variance = 0;  // population formula
};

struct ChannelLevels {
  std::string channel;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::vector<std::vector<RunLevel>> workloads;  // of the runs that have samples of the channel
};

struct Levels {
  std::vector<Workload> workloads;
  std::vector<ChannelLevels> channels;  // that vary, within runs or between them; by name
  std::size_t constant = 0;             // other channels
};

// Reads the recordings, whose words are as workloads_of() takes them, and adds to `out` what it has
// of them, with a note on the workloads. Fails as workloads_of() and read_run(), and with
// kTooLittle if no channel varies.
base::Result<Levels> levels_of(const Request& request, Result& out);

// Returns the means of the runs.
std::vector<double> means_of(std::span<const RunLevel> runs);

// Makes a row of a summary: of a name, and of the channels at these places.
using SummaryRow = std::function<std::vector<Cell>(const std::string& name,
                                                   const std::vector<std::size_t>& places)>;

// Returns the rows of all channels and of each subsystem that has some.
std::vector<std::vector<Cell>> by_subsystem(const Levels& levels, const SummaryRow& row);

}  // namespace reveal::study
