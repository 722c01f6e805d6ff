// Prometheus' text format, as programs write it into files for node_exporter's textfile collector.
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
//
//   # TYPE train_step_seconds gauge
//   train_step_seconds{rank="3"} 0.42
//
// A line that is not understood is skipped and counted: the file of the incident is the one that
// matters. A sample with a time of its own is refused, as node_exporter does: it may be of any
// time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::probes {

struct Sample {
  std::string metric;
  std::string instance;  // "" without labels, else "rank=3"
  double value = 0;      // finite
};

struct Exposition {
  std::vector<Sample> samples;
  std::uint64_t refused = 0;  // lines that are no sample, comment or empty line
  std::string first_refusal;  // "line 3: the value is not a number"; empty if there is none
};

// The most samples that one text may have; more are refused.
inline constexpr std::size_t kMostSamples = 2000;

// Reads a text of any bytes. A sample without a finite value has no value now, and is left out.
Exposition read_exposition(std::string_view text);

}  // namespace reveal::probes
