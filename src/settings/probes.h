// Metrics of the user's own in reveal.toml: [[probes.metric]], a table for each metric, and
// [[probes.command]], a table for each program that prints some.
//
//   [[probes.metric]]
//   name = "train_step_seconds"
//   kind = "gauge"             # counter, gauge, event or static
//   unit = "seconds"           # base unit of value * scale
//   subsystem = "gpu"          # cpu, gpu, memory, network, storage or unknown
//   label = "Training step"    # if left out, made of the name
//   scale = 1.0
//
//   [[probes.command]]
//   run = ["/usr/local/bin/bmc_power", "--all"]
//   every = "60s"
//   timeout = "10s"
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"
#include "settings/given.h"

namespace reveal::settings {

inline constexpr std::array<std::string_view, 2> kProbeTables{"metric", "command"};

// Returns whether a key of [probes] names such tables.
bool is_probe_table(std::string_view key);

// Reads all tables of that name. Fails with kUsage, with the line, if a key is unknown or lacking
// or has a wrong value. REQUIRES: is_probe_table(key).
base::Result<void> read_probes(std::string_view key, const toml::node& node,
                               const std::string& where, Given& given);

// Returns the keys of a metric that are texts, with these.
std::vector<std::pair<std::string_view, std::string>> probe_texts(
    const ProbeMetricSettings& metric);

}  // namespace reveal::settings
